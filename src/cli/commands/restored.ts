import type { Command } from 'commander';
import {
  declareLoss,
  declareNothingLost,
  goOn,
  keepAsCopy,
  type RestoredRecord,
  showRestored,
} from '../../operator/system/restored.ts';
import { redoTrail, type TrailReport } from '../../operator/trail/redo.ts';
import { action, askingCommand, type CliContext, confirm } from '../context.ts';
import { usageError } from '../errors.ts';
import { readImportFileAt } from '../files.ts';
import { printRecord, printTable } from '../output.ts';
import type { Style } from '../style.ts';
import { useCaseDeps } from '../use-cases.ts';

interface Restored {
  yes?: true;
  goOn?: true;
  asCopy?: true;
  declare?: true;
  nothingLost?: true;
  trail?: string;
}

/** Each option does what the use case declares. */
const SAID = { goOn, asCopy: keepAsCopy, declare: declareLoss, nothingLost: declareNothingLost };

type Word = keyof typeof SAID;

export function register(program: Command, context: CliContext): void {
  askingCommand(
    program,
    'restored',
    'Show when the records went back, or say what is to be done since (docs/operate.md)',
    'restored --go-on',
  )
    .option('--go-on', 'this installation is the one: work and emails go out again')
    .option('--as-copy', 'this is a copy for trying: nothing goes out, and the provisioner is asked nothing')
    .option('--declare', 'the records went back, where no server can see it: after a snapshot of a whole machine')
    .option('--nothing-lost', 'nothing is lost: within the hour before a move or an upgrade, or after it')
    .option('--trail <file>', 'do again what protected: from the log of a server, or the JSON of audit list')
    .action(
      action(
        context,
        async (parts, { yes, trail, ...said }: Restored): Promise<RestoredRecord | TrailReport> => {
          const deps = useCaseDeps(context, parts);
          const words = (Object.keys(SAID) as Word[]).filter((word) => said[word]);
          if (words.length + Number(trail !== undefined) > 1) throw usageError('Say one thing at a time');
          // A log that was cut may end within a character.
          if (trail !== undefined)
            return redoTrail(deps, new TextDecoder().decode((await readImportFileAt(trail)).content));
          const [word] = words;
          if (word === undefined) return showRestored.run(deps, {});
          const question = await SAID[word].ask(deps, {});
          if (question !== null) await confirm(context, { yes }, async () => question);
          return SAID[word].run(deps, {});
        },
        (record, style) => ('redone' in record ? showTrailText(record, style) : showRestoredText(record, style)),
      ),
    );
}

/** The losses and what is withheld, as tables. */
export function showRestoredText({ losses, withheld, ...record }: RestoredRecord, style: Style): string {
  const columns = ['history', 'cause', 'state', 'lost_from', 'lost_until', 'first_number', 'last_number', 'place'];
  const work = ['request_id', 'type', 'broker', 'service_number', 'submitted_date'];
  return [
    printRecord(record, style),
    ...(losses.length > 0 ? [printTable(losses, columns, style)] : []),
    ...(withheld.length > 0 ? [printTable(withheld, work, style)] : []),
  ].join('\n\n');
}

/** What was done again, and what a person has to look at. */
function showTrailText({ redone, ...counts }: TrailReport, style: Style): string {
  const done = redone.filter(({ outcome }) => outcome === 'done').length;
  const listed = redone.filter(({ outcome }) => outcome === 'listed').length;
  const columns = ['date', 'action', 'subject', 'outcome', 'why'];
  return [
    printRecord({ done, listed, ...counts }, style),
    ...(redone.length > 0 ? [printTable(redone, columns, style)] : []),
  ].join('\n\n');
}
