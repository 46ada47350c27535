/** Limit per broker: `upgrade-options` checks and returns every active plan, at this limit some 5 ms and 150 KB. */
export const MAX_ACTIVE_PLANS = 1_000;

/** Finds the plan that a caller named: by id, else by slug, else by display name; case counts in the id only. */
export function findTargetPlan<T extends { id: string; slugFolded: string; displayNameFolded: string }>(
  plans: readonly T[],
  text: string,
): T | undefined {
  const folded = foldPlanName(text);
  return (
    plans.find((plan) => plan.id === text) ??
    plans.find((plan) => plan.slugFolded === folded) ??
    plans.find((plan) => plan.displayNameFolded === folded)
  );
}

/** The form in which slugs and display names are compared: NFC, then Unicode lower case. */
export function foldPlanName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** What a name is compared by. */
interface NamedPlan {
  id: string;
  slugFolded: string;
  displayNameFolded: string;
  active: boolean;
}

/** Two active plans of which one's display name is the other's slug: that name leads to the other. */
export interface SharedName<T> {
  named: T;
  slugged: T;
}

/** The names that two of a broker's active plans share. Display names, and slugs, are unique among themselves. */
export function sharedNames<T extends NamedPlan>(plans: readonly T[]): SharedName<T>[] {
  const active = plans.filter((plan) => plan.active);
  const bySlug = new Map(active.map((plan) => [plan.slugFolded, plan]));
  return active.flatMap((named) => {
    const slugged = bySlug.get(named.displayNameFolded);
    return slugged && slugged.id !== named.id ? [{ named, slugged }] : [];
  });
}
