import './badge.css'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { Visit, VisitQrCode } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { visitWords } from '../../i18n/visit-words.ts'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { PrintAlone, usePrintAlone } from '../../resource/shown/print-alone.tsx'

/** What a visitor wears: who they are, whom they see, and the code that opens. */
export function Badge({ visit, code }: { visit: Visit; code: VisitQrCode }) {
  const words = visitWords(useWords())
  const printing = usePrintAlone()
  const card = <Card visit={visit} code={code} />
  return (
    <Stack gap="md">
      {card}
      <Group justify="flex-end">
        <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={printing.print}>
          {words.print}
        </Button>
      </Group>
      {printing.isPrinting && <PrintAlone>{card}</PrintAlone>}
    </Stack>
  )
}

function Card({ visit, code }: { visit: Visit; code: VisitQrCode }) {
  const words = visitWords(useWords())
  const format = useFormat()
  const { organization } = useMe()
  return (
    <div className="visitor-badge">
      <img src={code.png} alt={words.qrLabel} width={180} height={180} />
      <div>
        <Text size="xs">{organization.name}</Text>
        <Text size="xs" mt="sm">
          {words.visitor}
        </Text>
        <Text fw={700} size="lg" component="div">
          <Reference to={resources.individuals} id={visit.visitor_id} isPlain fallback={words.visitor} />
        </Text>
        <Text size="xs" mt="sm">
          {words.host}
        </Text>
        <Text component="div">
          <Reference to={resources.individuals} id={visit.host_id} isPlain fallback={words.host} />
        </Text>
        <Text size="xs" mt="sm">
          {words.until(format.moment(visit.valid_until))}
        </Text>
      </div>
    </div>
  )
}
