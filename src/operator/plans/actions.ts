import type { Action } from '../../rules/offers.ts';
import type { Option } from '../../rules/options.ts';
import type { PlanFile } from './plans.ts';

/** The actions that panels know (contract, section 12.4), apart from `reconfigure`, whose options differ from plan to plan. */
const KNOWN: ReadonlyArray<Pick<Action, 'name' | 'display_name'> & { destroys_data?: boolean; option?: string }> = [
  { name: 'start', display_name: 'Start' },
  { name: 'stop', display_name: 'Stop' },
  { name: 'reboot', display_name: 'Restart' },
  { name: 'reinstall', display_name: 'Install anew', destroys_data: true, option: 'image' },
  { name: 'reset_password', display_name: 'Set a new password' },
  { name: 'console', display_name: 'Open a console' },
];

const actionOf = (
  { name, display_name, destroys_data = false, option }: (typeof KNOWN)[number],
  options: readonly Option[],
): Action => ({
  name,
  display_name,
  description: null,
  requires_operator_review: false,
  destroys_data,
  options: options.filter((each) => each.name === option),
});

/** What a plan's services can do, and what they could: its own actions, then those of the others that panels know. */
export const actionsToChoose = ({ actions, options }: Pick<PlanFile, 'actions' | 'options'>): Action[] => [
  ...actions,
  ...KNOWN.filter(({ name }) => actions.every((own) => own.name !== name)).map((known) => actionOf(known, options)),
];
