import type { Provisioner } from '../ports.ts';

/** The provisioner of an installation without an endpoint: only the records change, so the work is done at once. */
export const recordsProvisioner: Provisioner = {
  async fulfil() {
    return { outcome: 'done' };
  },
};
