// Spark's default for spark.redaction.regex (internal/config/package.scala): keys whose values are nobody's business.
const SECRET = /secret|password|token|access[.]?key|oauth/i;

/** Replaces the values of keys that look like secrets (Utils.redact). A pattern of the user's own comes on top. */
export function redact(entries: Readonly<Record<string, string>>): Record<string, string> {
  const own = pattern(entries["spark.redaction.regex"]);
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => {
      const isSecret = SECRET.test(key) || own?.test(key) === true || own?.test(value) === true || hasUserInfo(value);
      return [key, isSecret ? "*********(redacted)" : value];
    }),
  );
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

/** `https://user:password@host`. */
function hasUserInfo(value: string): boolean {
  return /:\/\/[^/\s]*:[^/\s]*@/.test(value);
}
