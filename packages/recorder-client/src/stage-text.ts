import { harmlessText } from "@kindling/core-spec";
import { type Stage, STAGE_STATES } from "./stage.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a line about a stage; `undefined` if it is none. */
export function parseStage(text: string): Stage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Fields;
  const { name, failure } = fields;
  const state = STAGE_STATES.find((one) => one === fields["state"]);
  const [id, started, ended] = [countIn(fields, "id"), countIn(fields, "started"), countIn(fields, "ended")];
  if (typeof name !== "string" || state === undefined || id === undefined) return undefined;
  return {
    ...{ id, state, name: harmlessText(name), attempt: countIn(fields, "attempt") ?? 0 },
    tasks: countIn(fields, "tasks") ?? 0,
    executorTime: countIn(fields, "executorTime") ?? 0,
    gcTime: countIn(fields, "gcTime") ?? 0,
    inputBytes: countIn(fields, "inputBytes") ?? 0,
    outputBytes: countIn(fields, "outputBytes") ?? 0,
    shuffleReadBytes: countIn(fields, "shuffleReadBytes") ?? 0,
    shuffleWriteBytes: countIn(fields, "shuffleWriteBytes") ?? 0,
    spilledBytes: countIn(fields, "spilledBytes") ?? 0,
    ...(started !== undefined && { started }),
    ...(ended !== undefined && { ended }),
    ...(typeof failure === "string" && { failure: harmlessText(failure) }),
  };
}

function countIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
