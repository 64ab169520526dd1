import { isObject, type Json, type KubeObject } from "@kindling/kube-objects";
import { MEMORY_RECORD_ANNOTATION, SPARK_RESOURCE_PROFILE_ID_LABEL } from "@kindling/core-spec";
import { jsonObjectIn } from "../json/fields.ts";
import { type ExecutorSize, readSize } from "./executor-size.ts";
import type { Growth } from "./next-size.ts";

/** What was done for the executors of one resource profile, as it is recorded on the driver's pod. */
export interface ProfileRecord extends Growth {
  /** How many ends of executors Spark has counted as failures of their tasks. */
  readonly counted: number;
  /** The latest change, or why there is none any more, in words for people. */
  readonly words: string;
  /** Whether executors of this profile cannot be helped any more. */
  readonly isExhausted: boolean;
}

/** Executors of this size have not been made larger yet. */
export function unchanged(size: ExecutorSize): ProfileRecord {
  return { first: size, now: size, raises: 0, counted: 0, words: "", isExhausted: false };
}

/** The id of Spark's default resource profile. */
export const DEFAULT_PROFILE = "0";
/** The entry of the driver itself. */
export const DRIVER_PROFILE = "driver";

/** By the ids of resource profiles: `0` is the default profile, and `driver` stands for the driver itself. */
export type MemoryRecord = ReadonlyMap<string, ProfileRecord>;

/** More profiles than this are not recorded: each has a few hundred characters. */
const MOST_PROFILES = 100;

/** The resource profile of an executor, as Spark labels it. */
export function profileOf({ metadata: { labels } }: KubeObject): string {
  return labels?.[SPARK_RESOURCE_PROFILE_ID_LABEL] ?? DEFAULT_PROFILE;
}

/** Reads what a gateway has recorded on a driver's pod; what cannot be read is left out. */
export function memoryRecord({ metadata: { annotations } }: KubeObject): MemoryRecord {
  const written = jsonObjectIn(annotations?.[MEMORY_RECORD_ANNOTATION]);
  const entries = Object.entries(isObject(written?.["profiles"]) ? written["profiles"] : {});
  return new Map(
    entries.flatMap(([id, value]) => {
      const record = profileRecord(value);
      return record === undefined ? [] : [[id, record] as const];
    }),
  );
}

/** The words that a gateway has recorded on a driver's pod; `undefined` if there are none. */
export function memoryWords({ metadata: { annotations } }: KubeObject): string | undefined {
  const words = jsonObjectIn(annotations?.[MEMORY_RECORD_ANNOTATION])?.["words"];
  return typeof words === "string" && words !== "" ? words : undefined;
}

/** The value of the annotation. */
export function memoryRecordText(record: MemoryRecord): string {
  const profiles = Object.fromEntries([...record].slice(-MOST_PROFILES));
  const all = [...record.values()];
  const words = all.map((one) => one.words).filter((text) => text !== "");
  return JSON.stringify({ words: words.join("; "), isExhausted: all.some((one) => one.isExhausted), profiles });
}

function profileRecord(value: Json | undefined): ProfileRecord | undefined {
  if (!isObject(value)) return undefined;
  const { words, isExhausted } = value;
  const [first, now] = [readSize(value["first"]), readSize(value["now"])];
  if (first === undefined || now === undefined || typeof words !== "string") return undefined;
  const [raises, counted] = [countOf(value["raises"]), countOf(value["counted"])];
  return { first, now, raises, counted, words, isExhausted: isExhausted === true };
}

function countOf(value: Json | undefined): number {
  return isWhole(value) ? value : 0;
}

function isWhole(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}
