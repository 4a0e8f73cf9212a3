import { useEffect, useRef, useState } from 'react'

const TONES = [880, 660, 880]
const TONE_S = 0.18

let context: AudioContext | undefined
const audio = () => {
  context ??= new AudioContext()
  return context
}

/**
 * Three tones, made by the browser: there is no file to load. Where it has no sound, the alarm is on the screen all the
 * same.
 */
function ring(): void {
  try {
    sound()
  } catch (error) {
    reportError(error)
  }
}

function sound(): void {
  const { currentTime, destination } = audio()
  for (const [index, frequency] of TONES.entries()) {
    const tone = new OscillatorNode(audio(), { frequency, type: 'triangle' })
    const loudness = new GainNode(audio(), { gain: 0.2 })
    tone.connect(loudness).connect(destination)
    tone.start(currentTime + index * TONE_S)
    tone.stop(currentTime + (index + 1) * TONE_S)
  }
}

/**
 * Rings when an alarm is open that was not before; what was open when the page was opened is on it. Says whether the
 * browser lets it.
 */
export function useAlarmSound(open: readonly string[] | undefined, isOn: boolean): { isHeld: boolean } {
  const known = useRef<ReadonlySet<string>>(undefined)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const look = () => setHeld(audio().state === 'suspended')
    const wake = () => void audio().resume().then(look)
    look()
    // A page may not make a sound before somebody has used it.
    addEventListener('pointerdown', wake)
    addEventListener('keydown', wake)
    return () => {
      removeEventListener('pointerdown', wake)
      removeEventListener('keydown', wake)
    }
  }, [isOn])
  useEffect(() => {
    if (open === undefined) return
    const before = known.current
    known.current = new Set([...(before ?? []), ...open])
    if (isOn && before && open.some((id) => !before.has(id))) ring()
  }, [open, isOn])
  return { isHeld: isOn && isHeld }
}
