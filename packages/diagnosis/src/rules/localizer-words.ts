/** The localizer's text in its container's termination log: one line of JSON (localizer, report/termination-log). */
export interface LocalizerWords {
  readonly reason: string;
  readonly file: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
}

/** `undefined` if it is no such line. */
export function localizerWords(message: string | undefined): LocalizerWords | undefined {
  if (message === undefined || !message.startsWith("{")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const member = (name: string): string | undefined => {
    const found: unknown = Reflect.get(value, name);
    return typeof found === "string" ? found : undefined;
  };
  const [reason, said] = [member("reason"), member("message")];
  if (reason === undefined || said === undefined) return undefined;
  return { reason, message: said, file: member("file"), hint: member("hint") };
}
