/** A gate, half open. */
export function Logo({ isLarge = false }: { isLarge?: boolean }) {
  const size = isLarge ? 40 : 22
  return (
    <span className="logo" data-large={isLarge || undefined}>
      <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <rect width="24" height="24" rx="6" fill="var(--mantine-color-brand-filled)" />
        <path d="M6 18.5V11a6 6 0 0 1 12 0v7.5" fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
        <path
          d="M9.5 18.5V11.6a2.5 2.5 0 0 1 5 0v6.9"
          fill="none"
          stroke="#fff"
          strokeWidth="1.6"
          strokeLinecap="round"
          opacity=".75"
        />
        <circle cx="12" cy="14.6" r="1.1" fill="#fff" />
      </svg>
      <span>Gatehouse</span>
    </span>
  )
}
