import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { type ComparedRun, differences, type Differences } from "../../output/archive/differences.ts";
import { differencesText } from "../../output/archive/differences-text.ts";
import { REPORT_FORMATS } from "../output-formats.ts";
import { reachOf } from "../reach-options.ts";
import { archiveError } from "./archive-error.ts";
import { findRun, parseRunName } from "./find-run.ts";
import { ARCHIVE_VERSION } from "./history-command.ts";
import { openArchive } from "./open-archive.ts";
import { stagesOf } from "./stages-of.ts";

/** `kindling diff RUN [RUN]`: what is different between two runs; of one name, between the last two. */
export async function diffCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, REPORT_FORMATS);
  const [first, second, ...more] = line.operands;
  if (first === undefined || more.length > 0)
    throw new KindlingError(
      "ARGUMENT_INVALID",
      "diff is about two runs, or about one application whose last two are meant",
      {
        hint: "kindling history shows them; daily~1 is the run before the latest one of daily",
      },
    );
  const [before, after] = second === undefined ? [`${first}~1`, first] : [first, second];
  const archive = await openArchive("namespace", reachOf(line), context);
  try {
    const [old, current] = [await kept(before), await kept(after)];
    context.output.out(await textOf(differences(old, current), format, context));
    return 0;
  } catch (error) {
    throw archiveError(error);
  } finally {
    archive.close();
  }

  async function kept(name: string): Promise<ComparedRun> {
    const { recorder } = archive;
    const { uid } = await findRun(archive, parseRunName(name));
    return { record: await recorder.record(uid), stages: await stagesOf(recorder, uid) };
  }
}

async function textOf(
  found: Differences,
  format: (typeof REPORT_FORMATS)[number],
  { output }: CommandContext,
): Promise<string> {
  if (format === "table") return differencesText(found, output.onOut);
  return await formatObject({ apiVersion: ARCHIVE_VERSION, kind: "RunDifferences", ...found }, format);
}
