// Keys whose values are nobody's business: Spark's default for spark.redaction.regex (internal/config/package.scala), and
// what cloud stores and others call theirs.
const SECRET =
  /secret|password|passwd|passphrase|token|oauth|(?:access|api|private|account|encryption)[._-]?key|[._-]sas(?:[._-]|$)/i;

// Settings inside a value: -Djavax.net.ssl.keyStorePassword=…
const SECRET_SETTING = new RegExp(`(?:${SECRET.source})[\\w.-]*[=:]\\s*\\S`, "i");

export const REDACTED = "*********(redacted)";

/** Replaces the values of keys that look like secrets (Utils.redact). A pattern of the user's own comes on top. */
export function redact(entries: Readonly<Record<string, string>>): Record<string, string> {
  const own = pattern(entries["spark.redaction.regex"]);
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => {
      const isSecret = isSecretSetting(key, value) || own?.test(key) === true || own?.test(value) === true;
      return [key, isSecret ? REDACTED : value];
    }),
  );
}

/** Whether a key, or what its value says, looks like a secret. */
export function isSecretSetting(key: string, value: string): boolean {
  return SECRET.test(key) || SECRET_SETTING.test(value) || withoutUserInfo(value) !== value;
}

/** `https://user:password@host` without the password. */
export function withoutUserInfo(text: string): string {
  return text.replace(/:\/\/[^/\s]*:[^/\s]*@/g, `://${REDACTED}@`);
}

function pattern(text: string | undefined): RegExp | undefined {
  if (text === undefined) return undefined;
  try {
    // Java writes "ignore case" into the pattern; JavaScript has a flag for it.
    return new RegExp(text.replace(/^\(\?i\)/, ""), "i");
  } catch {
    return undefined;
  }
}
