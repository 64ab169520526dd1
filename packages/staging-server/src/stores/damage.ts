/** A stored document or file whose contents are not what was stored. */
export interface Damage {
  readonly what: "document" | "file";
  /** For a document its collection and name, for a file its digest. */
  readonly name: string;
  /** What is wrong with it. */
  readonly reason: string;
  /** Where it was moved, for people who look into it; absent if nothing is left of it, or it could not be moved. */
  readonly keptAs?: string;
}

export type DamageListener = (damage: Damage) => void;

/** How much damage was found since the start: of documents and of files. */
export interface DamageCount {
  readonly document: number;
  readonly file: number;
}

export interface DamageLog {
  readonly count: DamageCount;
  readonly listener: DamageListener;
}

/** Counts damage, and writes each into the log. */
export function damageLog(log: { error(fields: object, message: string): void }): DamageLog {
  const count = { document: 0, file: 0 };
  return {
    count,
    listener({ what, ...fields }) {
      count[what]++;
      log.error({ [what]: fields.name, reason: fields.reason, keptAs: fields.keptAs }, MESSAGES[what]);
    },
  };
}

const MESSAGES = {
  document: "a damaged document was set aside",
  file: "a damaged file was set aside; another upload of the file repairs it",
};
