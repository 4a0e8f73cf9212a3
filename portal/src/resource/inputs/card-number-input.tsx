import { Anchor, Button, Stack, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { DecodedCardNumber } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Values } from '../forms/form-values.ts'
import { labelOf, pathTo, resources } from '../resources.ts'

interface CardNumberInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  onChange(value: string): void
  /** Takes over a reading: number, facility code and format together. */
  onValues(values: Values): void
}

type Reading = DecodedCardNumber['readings'][number]
const SHORTEST = 3
const SHOWN = 4

/**
 * The number of a card as it is printed or read, in whatever form: the service says what it may mean, and who has it
 * already.
 */
export function CardNumberInput({ value, onChange, onValues, ...props }: CardNumberInputProps) {
  const t = useWords()
  const may = useMay()
  const [text] = useDebouncedValue(value.trim(), 300)
  // Of what a credential has already nobody is told that it is taken: by itself.
  const [stored] = useState(text)
  const isAsked = text !== stored && text === value.trim()
  const { data } = useQuery({
    queryKey: ['card-number', text],
    queryFn: async ({ signal }) =>
      (
        await call<DecodedCardNumber>('/api/v1/card-numbers/decode', {
          method: 'POST',
          body: { text },
          signal,
          withoutKey: true,
        })
      ).data,
    enabled: isAsked && text.length >= SHORTEST && may('credentials:read'),
    retry: false,
  })
  const readings = isAsked ? (data?.readings ?? []).filter(({ number }) => number !== text).slice(0, SHOWN) : []
  const taken = isAsked ? (data?.credentials ?? []) : []
  const take = ({ number, facility_code: code, formats: [format] }: Reading) =>
    onValues({ number, ...(code === null ? {} : { facility_code: code }), ...(format === undefined ? {} : { format }) })
  return (
    <Stack gap={4}>
      <TextInput
        {...props}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        autoComplete="off"
      />
      {readings.map((reading) => (
        <Button
          key={`${reading.form} ${reading.facility_code} ${reading.number} ${reading.is_reversed}`}
          size="compact-xs"
          variant="default"
          justify="flex-start"
          // A number that is cut is no number: it takes a second line.
          h="auto"
          styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
          onClick={() => take(reading)}
        >
          {t.people.readAs(reading.number, reading.facility_code ?? '', reading.formats[0] ?? '')}
        </Button>
      ))}
      {taken.map((credential) => (
        <Text key={credential.id} size="xs" className="in-text">
          {t.people.takenBy}{' '}
          <Anchor
            inherit
            renderRoot={(root) => (
              <Link to={pathTo(resources.credentials, credential.id) ?? '/'} target="_blank" {...root} />
            )}
          >
            {labelOf(resources.credentials, credential)}
          </Anchor>
        </Text>
      ))}
    </Stack>
  )
}
