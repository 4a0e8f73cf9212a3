import { Skeleton, Stack } from '@mantine/core'

/** While the file of a page is on its way. */
export function PageSkeleton() {
  return (
    <Stack gap="md" aria-hidden>
      <Skeleton height={26} width={240} />
      <Skeleton height={34} width="100%" />
      <Skeleton height={320} />
    </Stack>
  )
}
