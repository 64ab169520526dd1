// What each benchmark's tables say: one sentence, and bars. A sentence is made of the figures, so it is right after the next run.
import { quantity } from "./result.mjs";

const range = (values) => [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));

/** Bars of some rows, one for each of some columns. */
function byColumn(title, table, rows, columns, names = columns) {
  return panel(
    title,
    names,
    rows.map(([row, label]) => ({ label, texts: columns.map((column) => table.cell(row, column)) })),
  );
}

/** Bars of some rows of one column. */
function byRow(title, table, rows, column = "found") {
  return panel(
    title,
    [title],
    rows.map(([row, label]) => ({ label, texts: [table.cell(row, column)] })),
  );
}

function panel(title, series, groups) {
  const bar = (cell) => {
    // What stands behind the figure, such as a ratio, is in the table.
    const [text] = /^[\d.,]+\d?(\s*(ms|s|MiB\/s|MiB|MB|%|×))?/.exec(cell) ?? [cell];
    return { text: text.replace(/,$/, ""), value: quantity(cell).value };
  };
  return { title, series, groups: groups.map(({ label, texts }) => ({ label, bars: texts.map(bar) })) };
}

/** By the benchmark's name: from its tables and paragraphs the sentence, and what is drawn. */
export const FIGURES = {
  startup: ({ tables: [times] }) => ({
    says: `The command takes ${times.cell("wall time", "ratio")} the time of a Node that does nothing, and ${times.cell("peak memory", "ratio")} its memory.`,
    panels: [
      byColumn("Start to end", times, [["wall time", "wall time"]], ["node -e 0", "kindling --version"]),
      byColumn("Peak memory", times, [["peak memory", "memory"]], ["node -e 0", "kindling --version"]),
    ],
  }),

  submit: ({ tables: [times] }) => {
    const releases = [...new Set(times.rows.map(([release]) => release))];
    const times_ = (what) => range(releases.map((release) => Number(times.cell([release, what], "ratio").slice(2))));
    const [slow, fast] = times_("wall time");
    const [least, most] = times_("peak memory");
    const of = (title, what) =>
      byColumn(
        title,
        times,
        releases.map((release) => [[release, what], `Spark ${release}`]),
        ["spark-submit", "kindling submit"],
      );
    return {
      says: `A submission takes 1/${slow} to 1/${fast} of the time of spark-submit, and 1/${least} to 1/${most} of its memory.`,
      panels: [
        of("Wall time of one submission", "wall time"),
        of("CPU time of one submission", "CPU time"),
        of("Peak memory", "peak memory"),
      ],
    };
  },

  library: ({ tables: [found] }) => {
    const memory = found.rowsOf("memory after ").map(([what]) => [what, what.replace("memory ", "")]);
    const resident = (what) => /([\d.]+ MiB) resident/.exec(found.cell(what))?.[1] ?? "";
    return {
      says: `One process makes ${found.cell("submissions a second, wall")} submissions a second. Its memory is ${resident(memory[0][0])} after the first 500 and ${resident(memory.at(-1)[0])} at the end.`,
      panels: [
        panel(
          "Memory of the process, after so many submissions",
          ["resident"],
          memory.map(([what, label]) => ({ label, texts: [resident(what)] })),
        ),
      ],
    };
  },

  serve: ({ tables: [found] }) => ({
    says: `The service submits ${found.cell("submissions a second, by the service")} applications a second at a real API server. For each further 1,000 it keeps ${found.cell("memory for each further")} of memory. Killed in the middle and asked again, it has made ${found.rows.find(([what]) => what.includes("killed in the middle and"))?.[1]}.`,
    panels: [
      byRow(
        "Submissions in a second",
        found,
        [
          ["submissions a second, by forking", "forking spark-submit"],
          ["submissions a second, by the service", "kindling serve"],
        ].filter(([row]) => found.rowsOf(row).length > 0),
      ),
    ],
  }),

  devcluster: ({ tables: [found] }) => ({
    says: `The embedded cluster answers ${found.cell("start of the process", "embedded")} after its start, and makes ${found.cell("pods created", "ratio")} as many pods a second as a real API server with etcd.`,
    panels: [
      byColumn(
        "Pods created in a second",
        found,
        [["pods created", "pods"]],
        ["real", "embedded"],
        ["real API server", "embedded cluster"],
      ),
      byColumn(
        "Processor time of the server for one pod",
        found,
        [["processor time of the server", "time"]],
        ["real", "embedded"],
        ["real API server", "embedded cluster"],
      ),
    ],
  }),

  scheduler: ({ tables: [found] }) => ({
    says: `The random histories find ${found.rows[0][1]}, and show ${found.cell("faults put")} faults that were put in on purpose. One application gets ${found.cell("executors a second")} executors a second.`,
    panels: [
      byRow("Made in a second", found, [
        ["pods a second", "pods, without a scheduler"],
        ["executors a second", "executors, by the scheduler"],
      ]),
    ],
  }),

  gateway: ({ tables: [found] }) => {
    const executors = found.rows.filter(([what]) => what.includes("executors of "));
    const native = executors.find(([what]) => what.endsWith("allocators"));
    const ours = executors.find(([what]) => what.endsWith("gateway"));
    return {
      says: `10,000 executors of 100 applications are there after ${ours[1]} with the gateway, and after ${native[1]} with Spark's own allocators. Of ten applications that together want too much, ${found.cell("the same through the gateway")} end with the gateway's queues, and ${found.cell("ten applications").split(",", 1)[0]} without.`,
      panels: [
        panel(
          "Time until all 10,000 executors are there",
          ["time"],
          [
            { label: "Spark's own allocators", texts: [native[1]] },
            { label: "the gateway", texts: [ours[1]] },
          ],
        ),
      ],
      pictures: ["gateway-shares.svg"],
    };
  },

  "gateway-chaos": ({ tables: [found] }) => ({
    says: `${found.cell("applications with right results")} applications had the right result, while the gateway was killed ${found.cell("kills of")} times and lost its API server ${found.cell("breaks between")} times; ${found.cell("times that something")} times was something left behind.`,
    panels: [],
  }),

  "gateway-early-start": ({ tables: [found] }) => ({
    says: found.rows
      .filter(([what]) => what.includes("prepare for"))
      .map(([what, natively, , early], index) => {
        const [, version, seconds] = /^(Spark [\d.]+), executors prepare for ([\d.]+ s)/.exec(what) ?? [];
        const begin = index === 0 ? `Where executors have ${seconds} of preparation, both are there after` : "After";
        return `${begin} ${early} with early start, and after ${natively} without the gateway (${version}).`;
      })
      .join(" "),
    panels: [
      byColumn(
        "From the submission to both executors",
        found,
        found.rows.map(([what]) => [what, what.replace(/: \d+$/, "").replace(", executors", ", they")]),
        ["natively", "gateway", "with early start"],
      ),
    ],
  }),

  operator: ({ tables: [found] }) => {
    const of = (what) => found.cell(`${what} that differ`);
    return {
      says: `Differences from kubeflow's operator: in the arguments for spark-submit ${of("arguments for spark-submit")}; in pods ${of("pods of drivers and executors")}; in times of schedules ${of("next times of schedules")}.`,
      panels: [],
    };
  },

  staging: ({ tables: [transfers] }) => {
    const names = ["nginx dav", "kindling", "docker-registry"];
    const of = (title, what) =>
      byColumn(
        title,
        transfers,
        ["upload", "download"].map((way) => [`${way}, ${what}`, way]),
        names,
      );
    return {
      says: `An upload costs the server ${transfers.cell("upload, server CPU", "to registry")} of the processor time of a registry, which verifies as it does, and ${transfers.cell("upload, server CPU", "to nginx")} of that of nginx, which verifies nothing.`,
      panels: [of("Processor time of the server for 512 MiB", "server CPU"), of("Wall time for 512 MiB", "wall time")],
    };
  },

  "staging-hostile": ({ tables: [found] }) => ({
    says: `Among hostile connections the server stays up, the well-behaved tenant's ${found.cell("transfers of", "among")} transfers fail ${found.cell("failed", "among")} times, and its speed is ${found.cell("speed", "among").replace(/ \(.*/, "")} instead of ${found.cell("speed", "alone")}.`,
    panels: [
      panel(
        "Speed of the well-behaved tenant",
        ["speed"],
        [
          { label: "alone", texts: [found.cell("speed", "alone")] },
          { label: "among hostile connections", texts: [found.cell("speed", "among")] },
        ],
      ),
    ],
  }),

  localizer: ({ tables: [start, jars] }) => {
    const names = ["fork's way", "localizer", "curl", "python"];
    const shown = ["JVM", "localizer", "curl, gzip, tar", "Python"];
    const of = (title, row) => byColumn(title, jars, [[row, "300 MB of jars"]], names, shown);
    return {
      says: `The localizer sends its first request ${start.cell("start to", "localizer")} after its start. It brings 300 MB of jars with ${jars.cell("CPU in the pod", "fork's way").split(", ")[1]} of the processor time of the old fork's JVM, though it verifies them.`,
      panels: [
        of("Processor time in the pod", "CPU in the pod"),
        of("Wall time", "wall time"),
        of("Peak memory", "peak memory"),
      ],
    };
  },

  "devcluster-pods": ({ tables: [found] }) => ({
    says: `A pod of the embedded cluster writes its first line ${found.cell("a pod's creation", "median")} after it was asked for, of which ${found.cell("the same program", "median")} are the program's own.`,
    panels: [
      byRow(
        "To the first line of output, median",
        found,
        [
          ["the same program", "a plain process"],
          ["a pod's creation", "a pod"],
        ],
        "median",
      ),
    ],
  }),

  images: ({ tables: [ours, others] }) => {
    const rows = [...ours.rows, ...others.rows];
    return {
      says: `The localizer's image has ${ours.cell("kindling/localizer", "on disk")}, of which ${ours.cell("kindling/localizer", "its own layer")} are its own; the rest is one layer that all images share, so a node pulls it once.`,
      panels: [
        panel(
          "Size on disk",
          ["size"],
          rows.map(([image, size]) => ({ label: image, texts: [size] })),
        ),
      ],
    };
  },
};

/** Sentences and bars of a result; a benchmark that nobody has drawn yet has its tables alone. */
export function figuresOf(name, result) {
  return FIGURES[name]?.(result) ?? { says: "", panels: [] };
}
