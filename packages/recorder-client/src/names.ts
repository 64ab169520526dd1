const NAME = /^[A-Za-z0-9][A-Za-z0-9._=-]{0,252}$/;

/** Whether something may be a name in a path: nothing leads out of a folder, and no store takes it for something else. */
export function isName(text: string): boolean {
  return NAME.test(text) && !text.includes("..");
}
