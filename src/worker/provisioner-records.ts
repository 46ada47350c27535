import type { Provisioner } from '../ports.ts';

/** The provisioner of an installation without an endpoint of its own: the records are all there is to change. */
export const recordsProvisioner: Provisioner = {
  async fulfil() {
    return { outcome: 'done' };
  },
};
