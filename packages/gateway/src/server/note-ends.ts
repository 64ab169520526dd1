import { lossCause } from "../admission/demand/loss-cause.ts";
import { NodeEnds } from "../admission/demand/node-ends.ts";
import { textAt } from "../json/fields.ts";
import type { Applications } from "../views/applications/applications.ts";
import type { AssembleOptions } from "./assemble-options.ts";

/** Notes where and why executors end. */
export function noteEnds({ clock, clusterRoom, metrics }: AssembleOptions, applications: Applications): NodeEnds {
  const nodeEnds = new NodeEnds(clock);
  applications.subscribe({
    executorEnded(executor) {
      nodeEnds.add(executor);
      const cause = lossCause(executor, clusterRoom.node(textAt(executor, "spec", "nodeName") ?? ""));
      if (cause !== undefined) metrics.lost.inc({ cause });
    },
  });
  return nodeEnds;
}
