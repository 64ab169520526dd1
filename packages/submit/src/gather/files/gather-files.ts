import {
  isKindlingError,
  KindlingError,
  messageOf,
  splitList,
  type MainApplication,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import {
  confDirFiles,
  DRIVER_POD_TEMPLATE_FILE,
  EXECUTOR_POD_TEMPLATE_FILE,
  isSubmitterLocal,
  LOCALIZER_SCHEMES,
  selectSteps,
  takeDependencies,
} from "@kindling/steps";
import { FILE_UPLOAD_PATH } from "../../keys/upload-keys.ts";
import { URI_LIST_KEYS } from "../access.ts";
import { SMALL_FILES, SMALL_FILES_MAX_SIZE, STAGING_URI } from "../../keys/staging-keys.ts";
import type { GatheredFiles } from "../../plan/files/gathered-files.ts";
import type { ConfigurationData } from "../../plan/plan-input.ts";
import { DiskReader } from "./disk-reader.ts";

export interface WantedFiles {
  readonly conf: SparkConf;
  readonly env: ConfigurationData["env"];
  readonly mainApplication: MainApplication;
  /** Steps from outside. */
  readonly steps: readonly Step[];
}

/**
 * Reads the files of this machine that planning needs: pod templates, the files that steps name, the configuration folder,
 * and dependencies. Of the dependencies, only those that travel in a Secret are read as a whole. A file that does not exist
 * or cannot be read is no fault yet: the code that needs it reports that.
 */
export function gatherFiles(wanted: WantedFiles, cwd: string, clock: Clock): GatheredFiles {
  const disk = new DiskReader(cwd, clock);
  for (const path of namedFiles(wanted)) disk.take(path);
  tolerantly(() => confDirFiles({ ...wanted, files: disk, notice: () => {} }));
  tolerantly(() => takeLocalDependencies(wanted, disk));
  tolerantly(() => lookForLocalFiles(wanted, disk));
  return { cwd, byPath: disk.byPath };
}

function namedFiles({ conf, env, steps }: WantedFiles): string[] {
  const templates = [DRIVER_POD_TEMPLATE_FILE, EXECUTOR_POD_TEMPLATE_FILE].flatMap(
    (key) => tolerantly(() => conf.get(key)) ?? [],
  );
  const builtIn = tolerantly(() => selectSteps(conf, "driver")) ?? [];
  return [...templates, ...[...builtIn, ...steps].flatMap((step) => filesOf(step, { conf, env }))];
}

function filesOf(step: Step, { conf, env }: Pick<WantedFiles, "conf" | "env">): readonly string[] {
  try {
    return step.localFiles?.(conf, env) ?? [];
  } catch (error) {
    // The step reads this value again later and refuses it then.
    if (isKindlingError(error)) return [];
    throw new KindlingError("STEP_FAILED", `step ${step.name} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** Examines the dependencies that Kindling brings into the pods. */
function takeLocalDependencies({ conf, mainApplication }: WantedFiles, disk: DiskReader): void {
  const isStaged = conf.get(STAGING_URI) !== undefined || conf.get(LOCALIZER_SCHEMES).length > 0;
  if (!isStaged && !conf.get(SMALL_FILES)) return;
  const { dependencies } = takeDependencies(conf, mainApplication, disk, isSubmitterLocal);
  const paths = dependencies.flatMap(({ from }) => ("path" in from ? [from.path] : []));
  const total = paths.reduce((sum, path) => sum + disk.size(path), 0);
  if (isStaged || total > conf.get(SMALL_FILES_MAX_SIZE)) return;
  for (const path of paths) disk.take(path);
}

/** Examines whether the files that need an upload place exist at all. */
function lookForLocalFiles({ conf, mainApplication }: WantedFiles, disk: DiskReader): void {
  if (conf.get(FILE_UPLOAD_PATH) !== undefined) return;
  const lists = URI_LIST_KEYS.flatMap((key) => splitList(conf.raw(key) ?? ""));
  for (const uri of [...lists, mainApplication.resource ?? ""].filter((one) => one !== "" && isSubmitterLocal(one))) {
    if (!disk.isFile(uri)) disk.listFiles(uri);
  }
}

/** Ignores faults: the plan finds the same fault again and reports it in order with others. */
function tolerantly<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    if (isKindlingError(error)) return undefined;
    throw error;
  }
}
