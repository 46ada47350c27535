import t from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import * as access from '../../../src/operator/people/console-access.ts';
import * as operatorKeys from '../../../src/operator/people/operator-keys.ts';
import * as operators from '../../../src/operator/people/operators.ts';
import { USE_CASES } from '../../../src/operator/registry.ts';
import * as numbers from '../../../src/operator/system/numbers.ts';
import * as restored from '../../../src/operator/system/restored.ts';
import type { AnyUseCase } from '../../../src/operator/use-case/use-case.ts';
import { createOperatorContext } from '../../support/operator-context.ts';

/** The use cases that change nothing. */
const READS = ['operators list', 'operators sessions', 'operators show', 'ops-keys list', 'restored'];

const email = 'zoe@example.com';

/** Those of the operator's API are held to the same in test/operator-api/registry.test.ts. */
t.test(
  'every use case without an address in the API that changes something writes its row of the audit trail',
  async (t) => {
    const context = await createOperatorContext();
    t.teardown(() => context.close());
    const deps = { ...context, consoleUrl: 'http://console.example.com' };
    const done = new Set<string>();

    // biome-ignore lint/suspicious/noExplicitAny: the result of this use case
    async function changes(useCase: AnyUseCase, given: object, ...actions: string[]): Promise<any> {
      const before = (await listAudit(context)).length;
      const result = await useCase.run(deps as never, given);
      const rows = await listAudit(context);
      t.strictSame(
        rows.slice(0, rows.length - before).map((row) => row.action),
        actions,
        useCase.name,
      );
      t.strictSame(useCase.actions, actions, `${useCase.name} declares them`);
      done.add(useCase.name);
      return result;
    }

    await operators.addOperator.run(context, { email: 'root@example.com', name: 'Root', role: 'admin' });
    await changes(operators.addOperator, { email, name: 'Zoe', role: 'viewer' }, 'operator.add');
    await changes(operators.setOperator, { email, role: 'support' }, 'operator.set');
    await changes(access.createConsoleLink, { email }, 'operator.link');
    await changes(access.endSessions, { email }, 'operator.sign_out');
    await changes(operators.removeOperator, { email }, 'operator.remove');
    await changes(numbers.skipNumbers, { count: '5' }, 'numbers.skip');
    const made = await changes(operatorKeys.createOperatorKey, { name: 'Billing', role: 'viewer' }, 'ops_key.create');
    await changes(operatorKeys.revokeOperatorKey, { key_id: made.key_id }, 'ops_key.revoke');

    await changes(restored.declareNothingLost, {}, 'records.nothing-lost');
    await changes(restored.declareLoss, {}, 'records.went-back');
    await changes(restored.goOn, {}, 'records.go-on');
    await restored.keepAsCopy.run(deps as never, {});
    done.add(restored.keepAsCopy.name);

    const named = USE_CASES.filter(({ path }) => path === undefined).map(({ name }) => name);
    t.strictSame([...done, ...READS].sort(), named.sort(), 'each is either run here or changes nothing');
  },
);
