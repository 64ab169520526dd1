import { createHmac, timingSafeEqual } from "node:crypto";

/** Texts that a browser keeps for this process, and cannot change. */
export interface Sealed {
  seal(value: Readonly<Record<string, string>>): string;
  /** @returns undefined for what this process has not sealed */
  open(text: string): Readonly<Record<string, string>> | undefined;
}

const LONGEST = 4_096;

/** @param key random bytes that only this process knows */
export function sealed(key: Uint8Array): Sealed {
  const mac = (content: string): Buffer => createHmac("sha256", key).update(content).digest();
  return {
    seal(value) {
      const content = Buffer.from(JSON.stringify(value)).toString("base64url");
      return `${content}.${mac(content).toString("base64url")}`;
    },
    open(text) {
      const [content = "", given = ""] = text.slice(0, LONGEST).split(".");
      const [wanted, found] = [mac(content), Buffer.from(given, "base64url")];
      if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) return undefined;
      const value: unknown = JSON.parse(Buffer.from(content, "base64url").toString("utf8"));
      const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
      return Object.fromEntries(entries.map(([name, member]) => [name, String(member)]));
    },
  };
}
