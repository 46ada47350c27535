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
