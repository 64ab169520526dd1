import { printNotice, type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { isActive } from "./application-view.ts";
import { findOne, nameIn } from "./find-operated.ts";
import { followApplication } from "./follow-application.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { onCluster } from "./on-cluster.ts";
import { APPLICATIONS } from "./operated-kind.ts";

/**
 * An annotation on the driver pod: the time when a rerun was requested. The operator runs an application again whenever its
 * spec has changed, except for `suspend` and `timeToLiveSeconds`, and for a running one also except for some fields of
 * executors (v2.5.2, internal/controller/sparkapplication/event_filter.go). An annotation of the driver counts as a change,
 * and Spark does not read it.
 */
const RERUN_ANNOTATION = "operator.kindling/rerun";

/** `kindling app rerun`: a current run ends first, which the user must confirm. */
export async function rerunCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { confirm, outside, output, secrets } = context;
  const wanted = nameIn(line.operands, "rerun");
  return await onCluster(line, context, APPLICATIONS.type, async (client) => {
    const object = await findOne(client, APPLICATIONS, wanted);
    hideSecrets(object, secrets);
    const { namespace, name, state, suspended, submissionId } = APPLICATIONS.viewOf(object);
    const called = `${namespace}:${name}`;
    if (isActive(state) && !line.has("yes")) {
      const said = `${called} is ${state}: another run ends this one`;
      if (!((await confirm?.(`${said}. Run it again?`)) ?? false))
        throw new KindlingError("UNSUPPORTED", said, { hint: "pass --yes if that is what you want" });
    }
    const rerun = { [RERUN_ANNOTATION]: new Date(outside.clock.now()).toISOString() };
    const patch = { spec: { driver: { annotations: rerun } } };
    const changed = await client.patch(APPLICATIONS.type, name, "merge", patch, { namespace });
    output.out(`${called} is to run again\n`);
    if (suspended) printNotice(`it is suspended; kindling app resume ${called} lets it run`, output);
    if (!line.has("wait")) return 0;
    return (await followApplication(client, changed, context, { before: submissionId })).exitCode;
  });
}
