// @ts-check
// What each benchmark's tables show: one sentence, and bars. A sentence is generated from the figures, so it is still right
// after the next run.
import { byColumn, byRow, panel, rowOf } from "./panels.mjs";
import { ResultTable } from "./result.mjs";

/** @typedef {import("./bars.mjs").Panel} Panel */
/** @typedef {{ says: string, panels: readonly Panel[], pictures?: readonly string[] }} Figures the sentence, and what is drawn */

/** A row that is missing on some computers. */
const FORKING = "submissions a second, by forking";

/** @param {readonly number[]} values */
const range = (values) => [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));

/** @typedef {readonly [ResultTable, ResultTable]} Tables of a result; a benchmark knows how many it has */

/**
 * For each benchmark by name: makes the sentence and the bars from its tables.
 *
 * @type {Readonly<Record<string, (tables: Tables) => Figures>>}
 */
export const FIGURES = {
  startup: ([times]) => ({
    says: `The command takes ${times.cell("wall time", "ratio")} the time of a Node that does nothing, and ${times.cell("peak memory", "ratio")} its memory.`,
    panels: [
      byColumn("Start to end", times, [["wall time", "wall time"]], ["node -e 0", "kindling --version"]),
      byColumn("Peak memory", times, [["peak memory", "memory"]], ["node -e 0", "kindling --version"]),
    ],
  }),

  submit: ([times]) => {
    const releases = [...new Set(times.rows.map(([release]) => release))];
    /** @param {string} what */
    const times_ = (what) => range(releases.map((release) => Number(times.cell([release, what], "ratio").slice(2))));
    const [slow, fast] = times_("wall time");
    const [least, most] = times_("peak memory");
    /**
     * @param {string} title
     * @param {string} what
     */
    const of = (title, what) =>
      byColumn(
        title,
        times,
        releases.map((release) => rowOf([release, what], `Spark ${release}`)),
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

  library: ([found]) => {
    const memory = found.rowsOf("memory after ").map(([what]) => what);
    /** @param {string} [what] */
    const resident = (what = "") => /([\d.]+ MiB) resident/.exec(found.cell(what))?.[1] ?? "";
    return {
      says: `One process makes ${found.cell("submissions a second, wall")} submissions a second. Its memory is ${resident(memory[0])} after the first 500 and ${resident(memory.at(-1))} at the end.`,
      panels: [
        panel(
          "Memory of the process, after so many submissions",
          ["resident"],
          memory.map((what) => ({ label: what.replace("memory ", ""), texts: [resident(what)] })),
        ),
      ],
    };
  },

  serve: ([found]) => ({
    says: `The service submits ${found.cell("submissions a second, by the service")} applications a second at a real API server. For each further 1,000 it keeps ${found.cell("memory for each further")} of memory. Killed in the middle and asked again, it has made ${found.rows.find(([what]) => what.includes("killed in the middle and"))?.[1]}.`,
    panels: [
      byRow("Submissions in a second", found, [
        ...(found.rowsOf(FORKING).length > 0 ? [rowOf(FORKING, "forking spark-submit")] : []),
        rowOf("submissions a second, by the service", "kindling serve"),
      ]),
    ],
  }),

  devcluster: ([found]) => ({
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

  scheduler: ([found]) => ({
    says: `The random histories find ${found.cell("", "found")}, and show ${found.cell("faults put")} faults that were put in on purpose. One application gets ${found.cell("executors a second")} executors a second.`,
    panels: [
      byRow("Made in a second", found, [
        ["pods a second", "pods, without a scheduler"],
        ["executors a second", "executors, by the scheduler"],
      ]),
    ],
  }),

  gateway: ([found]) => {
    const executors = found.rows.filter(([what]) => what.includes("executors of "));
    const [, native = ""] = executors.find(([what]) => what.endsWith("allocators")) ?? [];
    const [, ours = ""] = executors.find(([what]) => what.endsWith("gateway")) ?? [];
    return {
      says: `10,000 executors of 100 applications are there after ${ours} with the gateway, and after ${native} with Spark's own allocators. Of ten applications that together want too much, ${found.cell("the same through the gateway")} end with the gateway's queues, and ${found.cell("ten applications").split(",", 1)[0]} without.`,
      panels: [
        panel(
          "Time until all 10,000 executors are there",
          ["time"],
          [
            { label: "Spark's own allocators", texts: [native] },
            { label: "the gateway", texts: [ours] },
          ],
        ),
      ],
      pictures: ["gateway-shares.svg"],
    };
  },

  nodes: ([found]) => {
    /** @param {string} start */
    const seconds = (start) => found.rows.filter(([what]) => what.startsWith(start)).map(([, text]) => text);
    const [stock = "", , ours = ""] = seconds("ten applications");
    const [native = "", through = ""] = seconds("from no nodes");
    return {
      says: `Of ten applications that together want five times the NodePool's limit, ${ours} with the gateway, and ${stock} with Spark's own scheduling. A hundred executors run after ${through} with the gateway, and after ${native} without.`,
      panels: [],
    };
  },

  "gateway-chaos": ([found]) => ({
    says: `${found.cell("applications with right results")} applications had the right result, while the gateway was killed ${found.cell("kills of")} times and lost its API server ${found.cell("breaks between")} times; ${found.cell("times that something")} times was something left behind.`,
    panels: [],
  }),

  "gateway-early-start": ([found]) => ({
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
        found.rows.map(([what]) => rowOf(what, what.replace(/: \d+$/, "").replace(", executors", ", they"))),
        ["natively", "gateway", "with early start"],
      ),
    ],
  }),

  sealed: ([found]) => {
    const versions = [...new Set(found.rows.map(([what]) => what.split(": ", 1)[0] ?? ""))];
    /**
     * @param {string} version
     * @param {string} what
     */
    const of = (version, what) => found.cell(`${version}: ${what}`, "found");
    /** @param {string} time */
    const later = (time) => (time.startsWith("-") ? "is not later" : `is later by ${time}`);
    return {
      says: versions
        .map(
          (version) =>
            `With ${version}, a sealed shuffle takes ${of(version, "the time of a sealed")} the time of the same shuffle in clear, and the first task ${later(of(version, "the first task"))}.`,
        )
        .join(" "),
      panels: [],
    };
  },

  operator: ([found]) => {
    /** @param {string} what */
    const of = (what) => found.cell(`${what} that differ`);
    return {
      says: `Differences from kubeflow's operator: in the arguments for spark-submit ${of("arguments for spark-submit")}; in pods ${of("pods of drivers and executors")}; in times of schedules ${of("next times of schedules")}.`,
      panels: [],
    };
  },

  recorder: ([found]) => {
    const [start, memory] = [
      found.rowsOf("recorder with ")[0],
      found.rowsOf("memory of the recorder at its peak, with ")[0],
    ];
    const [other, others] = [
      found.rowsOf("Spark's history server with ")[0],
      found.rowsOf("memory of the history server ")[0],
    ];
    if (start === undefined || memory === undefined || other === undefined || others === undefined)
      return { says: "", panels: [] };
    /** @param {string} text */
    const many = (text) => /[\d,]+/.exec(text)?.[0] ?? "";
    const [ours, theirs] = [`recorder, ${many(start[0])}`, `history server, ${many(other[0])}`];
    return {
      says: `The recorder is ready ${start[1]} after its start with ${many(start[0])} ended applications, in ${memory[1]}; Spark's history server lists ${many(other[0])} after ${other[1]}, in ${others[1]}.`,
      panels: [
        byRow("From the start until all are listed", found, [rowOf(start[0], ours), rowOf(other[0], theirs)]),
        byRow("Peak memory", found, [rowOf(memory[0], ours), rowOf(others[0], theirs)]),
      ],
    };
  },

  staging: ([transfers]) => {
    const names = ["nginx dav", "kindling", "docker-registry"];
    /**
     * @param {string} title
     * @param {string} what
     */
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

  "staging-hostile": ([found]) => ({
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

  localizer: ([start, jars]) => {
    const names = ["fork's way", "localizer", "curl", "python"];
    const shown = ["JVM", "localizer", "curl, gzip, tar", "Python"];
    /**
     * @param {string} title
     * @param {string} row
     */
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

  "devcluster-pods": ([found]) => ({
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

  images: ([ours, others]) => {
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

/** Used instead of a missing second table. */
const NO_TABLE = new ResultTable([], []);

/**
 * Sentences and bars of a result. A benchmark without an entry in {@link FIGURES} only has its tables.
 *
 * @param {string} name
 * @param {{ tables: readonly ResultTable[] }} result
 * @returns {Figures}
 */
export function figuresOf(name, { tables: [first = NO_TABLE, second = NO_TABLE] }) {
  return FIGURES[name]?.([first, second]) ?? { says: "", panels: [] };
}
