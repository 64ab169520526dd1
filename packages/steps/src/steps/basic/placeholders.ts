/** Replaces `{{APP_ID}}` and `{{EXECUTOR_ID}}` (Utils.substituteAppNExecIds); for a driver the executor id is empty. */
export function substituteIds(value: string, appId: string, executorId: string): string {
  return value.replaceAll("{{APP_ID}}", appId).replaceAll("{{EXECUTOR_ID}}", executorId);
}

/** The same in every value of a map. */
export function substituteIdsIn(
  values: Readonly<Record<string, string>>,
  appId: string,
  executorId: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, substituteIds(value, appId, executorId)]),
  );
}
