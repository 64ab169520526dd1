/** Takes secrets out of texts. Messages are made without secrets; this is for those of others that are passed on. */
export interface Redactor {
  /** Never to be shown, in this or any usual encoding. */
  hide(secret: string): void;
  clean(text: string): string;
}

// Shorter ones would take parts out of ordinary words, and are no secrets.
const SHORTEST = 4;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    hide(secret) {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]) {
        if (form.length >= SHORTEST) secrets.add(form);
      }
    },
    clean(text) {
      let clean = text;
      // The longest first: one secret may be part of another.
      for (const secret of [...secrets].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(secret, "***");
      // Signed URLs, and user and password in one.
      return clean
        .replaceAll(/(https?:\/\/[^\s?"']+)\?[^\s"']+/g, "$1?***")
        .replaceAll(/(https?:\/\/)[^\s/@"']+@/g, "$1***@");
    },
  };
}
