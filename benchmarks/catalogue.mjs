// @ts-check
// All benchmarks: what each compares, what it needs, and how it is run. docs/benchmarks.md is generated from this table too.

const CLUSTER = "`KUBECONFIG` of a real cluster's administrator";
const ELSE_EMBEDDED = `${CLUSTER}; else the embedded cluster is measured`;
const REAL_PODS = `${CLUSTER}, with Spark's images; \`KINDLING_E2E_STAGING_HOST\`, as pods reach this machine`;

/**
 * @typedef {object} Benchmark
 * @property {string} name its name on the command line, and the name of its file in results/
 * @property {string} compares in a sentence
 * @property {string} needs besides Node and Linux
 * @property {readonly string[]} without variables that must be set; otherwise there is nothing to measure
 * @property {() => Promise<(folder: string) => Promise<string>>} load gives the function that measures and returns its tables.
 * Pictures that it draws go into the folder.
 *   draws goes into the folder
 */

/** @type {readonly Benchmark[]} */
export const BENCHMARKS = [
  {
    name: "startup",
    compares: "`kindling --version` and `node -e 0`",
    needs: "",
    without: [],
    load: async () => (await import("./startup.mjs")).startup,
  },
  {
    name: "submit",
    compares: "one `kindling submit` and one `spark-submit`, both to the same stand-in API server",
    needs: "`SPARK_HOMES`: folders of real Sparks, comma separated",
    without: ["SPARK_HOMES"],
    load: async () => (await import("./submit.mjs")).submit,
  },
  {
    name: "single-file",
    compares:
      "the command as [one file](../deploy/single-file/README.md), and the same bundle run by the Node that is in the file and by this machine's, with the same submission to a stand-in API server",
    needs: "the npm registry, for the Node in the file",
    without: [],
    load: async () => (await import("./single-file.mjs")).singleFile,
  },
  {
    name: "library",
    compares: "submissions a second of `submit()`, and its memory over 20,000",
    needs: "",
    without: [],
    load: async () => (await import("./library.mjs")).library,
  },
  {
    name: "serve",
    compares:
      "submissions a second of `kindling serve`, and of forking `spark-submit`, at the same API server; its memory over thousands; and whether 1,000 submissions, in the middle of which it is killed, give 1,000 applications when they are sent again. No pod is ever scheduled. Fails where a figure misses. `KINDLING_BENCH_SUBMISSIONS` makes it smaller",
    needs: `${CLUSTER}; for the ratio \`SPARK_HOMES\``,
    without: ["KUBECONFIG"],
    load: async () => (await import("./serve.mjs")).serve,
  },
  {
    name: "devcluster",
    compares:
      "the embedded cluster's start; pods created in a second, beside a real API server; its memory with 10,000 pods and 50 watchers",
    needs: CLUSTER,
    without: ["KUBECONFIG"],
    load: async () => (await import("./devcluster.mjs")).devcluster,
  },
  {
    name: "scheduler",
    compares:
      "100,000 random histories of executors, and faults that they have to show; 1,000 executors of one application and what the API server can make. Fails where a figure misses",
    needs: ELSE_EMBEDDED,
    without: [],
    load: async () => (await import("./scheduler.mjs")).scheduler,
  },
  {
    name: "gateway",
    compares:
      "10,000 executors of 100 applications through one gateway and by Spark's own allocators, at the same API server: time, requests, processor time, memory, and how late drivers learn of events on 200 watches. Then ten applications that together want five times the cluster, with Spark's own scheduling and by the gateway's queues. The pods are hollow: a program says of them that they run. Fails where a figure misses. `KINDLING_BENCH_EXECUTORS`, `KINDLING_BENCH_APPLICATIONS` and `KINDLING_BENCH_STEADY_SECONDS` make it smaller",
    needs: `${ELSE_EMBEDDED}. For Spark's own allocators \`KINDLING_E2E_SPARK_HOME\`, a real Spark ({version} stands for 4.3.0), and \`javac\``,
    without: [],
    load: async () => (await import("./gateway.mjs")).gateway,
  },
  {
    name: "nodes",
    compares:
      "which nodes Karpenter makes for ten applications that together want five times the limit of a NodePool, and how long they take: with Spark's own scheduling, with a queue that counts the nodes that are there, and with the gateway. Then the time from no nodes to a hundred executors, a day of applications in some minutes, and the share of spot nodes over a thousand changes. The nodes and pods are hollow, and Karpenter is real. Fails where a figure misses. `KINDLING_BENCH_WORK`, `KINDLING_BENCH_MINUTES` and `KINDLING_BENCH_CHANGES` make it smaller, `KINDLING_BENCH_ONLY` selects one part (`contention`, `from-zero`, `day`, `consolidated`, `spot-share`), and `KINDLING_BENCH_SEED` changes what is random",
    needs:
      "`KUBECONFIG` of the administrator of a control plane without nodes; `KINDLING_BENCH_KARPENTER=1` says that Karpenter with its kwok provider and kwok run there (`sigs.k8s.io/karpenter/kwok`, `sigs.k8s.io/kwok`)",
    without: ["KUBECONFIG", "KINDLING_BENCH_KARPENTER"],
    load: async () => (await import("./nodes.mjs")).nodes,
  },
  {
    name: "kueue",
    compares:
      "an application through the gateway under the quotas of a real Kueue: how many of its executors run, how soon after Kueue's admission, with how many requests, and what happens when a Job with a higher priority takes the quota. The node and the pods are hollow. Fails where a figure misses",
    needs:
      "`KUBECONFIG` of the administrator of a control plane without nodes; `KINDLING_BENCH_KUEUE=1` says that Kueue (with its integration of Jobs) and kwok run there (`sigs.k8s.io/kueue`, `sigs.k8s.io/kwok`)",
    without: ["KUBECONFIG", "KINDLING_BENCH_KUEUE"],
    load: async () => (await import("./kueue.mjs")).kueue,
  },
  {
    name: "spot-reclaim",
    compares:
      "which tasks of a real Spark job run again after the node of all its executors is taken back two minutes after a notice (`KINDLING_BENCH_NOTICE_SECONDS`): with a stock driver, with one that decommissions its executors, and through the gateway. The node is announced by a taint, its executors are evicted, and what is left at the end is killed. Fails where a figure misses",
    needs: `${REAL_PODS}, and two nodes that take pods`,
    without: ["KUBECONFIG", "KINDLING_E2E_STAGING_HOST"],
    load: async () => (await import("./spot-reclaim.mjs")).spotReclaim,
  },
  {
    name: "gateway-hostile",
    compares:
      "a gateway with 256 MiB of memory, and 40 honest drivers with 20 executors each, alone and beside 40 drivers that do everything wrong at once for ten minutes. Fails where a figure misses. `KINDLING_BENCH_MINUTES` makes it shorter. The memory is limited only where a cgroup can be made, as root can",
    needs: ELSE_EMBEDDED,
    without: [],
    load: async () => (await import("./gateway-hostile.mjs")).gatewayHostile,
  },
  {
    name: "gateway-chaos",
    compares:
      "real applications, one after the other, for half an hour (`KINDLING_BENCH_MINUTES`), while the gateway is killed every minute, its connections to the API server break, and executors die: all results right and nothing left behind, or it fails. A stock driver whose very first request is cut off ends; such a one is [started again](../packages/gateway/README.md#restarts)",
    needs: REAL_PODS,
    without: ["KUBECONFIG", "KINDLING_E2E_STAGING_HOST"],
    load: async () => (await import("./gateway-chaos.mjs")).gatewayChaos,
  },
  {
    name: "gateway-early-start",
    compares:
      "from a submission to both of its executors: with a driver that makes them itself, through the gateway, and with [early start](../packages/gateway/README.md#early-start); also where executors have 5 s of preparation, as with files that take so long to come. `KINDLING_BENCH_RUNS` runs of each",
    needs: REAL_PODS,
    without: ["KUBECONFIG", "KINDLING_E2E_STAGING_HOST"],
    load: async () => (await import("./gateway-early-start.mjs")).gatewayEarlyStart,
  },
  {
    name: "sealed",
    compares:
      "an application with `spark.kindling.seal=true` and the same without: the time of a shuffle, and when its first task is done; what can be read in captured packets; and whether programs without the secret get in. Fails where a figure misses. `KINDLING_BENCH_RUNS` runs of each, `KINDLING_BENCH_ROWS` rows in each shuffle, `KINDLING_BENCH_TRIES` tries",
    needs: `${CLUSTER}, with Spark's images, whose pods this machine can reach; \`KINDLING_E2E_SPARK_HOME\`, real Sparks ({version} stands for their versions), and \`javac\`. To capture packets, root and \`tcpdump\``,
    without: ["KUBECONFIG", "KINDLING_E2E_SPARK_HOME"],
    load: async () => (await import("./sealed.mjs")).sealed,
  },
  {
    name: "elastic",
    compares:
      "the server of shuffle files and Spark's own external shuffle service: 10 GB fetched by eight readers, memory, start, and hostile frames. A job with four shuffles and idle gaps whose executors leave their shuffle files behind (`spark.kindling.shuffle=keep`), the same with shuffle tracking, and with decommissioning that moves blocks: time, executor core-seconds, and map tasks that ran again. Thousands of keepers, and the same pods while they were executors. Jobs that fail for memory, with `spark.kindling.memory=heal` and rightly sized. Jobs that ask for too much, with `learn`. And applications with all of it while everything breaks. Fails where a figure misses. `KINDLING_BENCH_ONLY` names one part (`server`, `stages`, `keepers`, `heal`, `learn`, `chaos`); `KINDLING_BENCH_RUNS` runs of each, `KINDLING_BENCH_ROWS` rows, `KINDLING_BENCH_GAP_SECONDS` between two shuffles, `KINDLING_BENCH_KEEPERS` of `KINDLING_BENCH_APPLICATIONS`, `KINDLING_BENCH_QUIET_SECONDS` of other work in each job, `KINDLING_BENCH_MINUTES` of chaos",
    needs: `${REAL_PODS}; the localizer's image on the nodes (\`KINDLING_E2E_LOCALIZER_IMAGE\`); for Spark's own service \`KINDLING_E2E_SPARK_HOME\` and Java`,
    without: ["KUBECONFIG"],
    load: async () => (await import("./elastic.mjs")).elastic,
  },
  {
    name: "operator",
    compares:
      "what Kindling's operator and kubeflow's of v2.5.2 make of the same objects, of kubeflow's examples and of thousands of random ones: arguments, pods, services, ingresses, gang groups, times of schedules, fields of the definitions, the chart, and metrics. Stock's own code answers; what is meant to differ is taken out, and stands beside each comparison in `apps/kubeflow-parity`. Then lives of applications whose operator is killed, at its requests and as a process, and how quick and how hungry both operators are. Fails where a figure misses. `KINDLING_BENCH_CRASHES`, `KINDLING_BENCH_REAL_CRASHES`, `KINDLING_BENCH_PROCESS_CRASHES`, `KINDLING_BENCH_APPLICATIONS` and `KINDLING_BENCH_FINISHED` are their numbers",
    needs: `Go, which fetches and builds the stock operator once; for the chart \`helm\` (\`KINDLING_HELM\`); for metrics and load ${CLUSTER} and \`SPARK_HOME\`, a Spark 4.0.4 for the stock operator`,
    without: [],
    load: async () => (await import("./operator.mjs")).operator,
  },
  {
    name: "recorder",
    compares:
      "a recorder with 100,000 ended applications, and Spark's history server with the event logs of 10,000: their start, their lists, their memory. Then a recorder that follows 1,000 applications, one with 10,000 executors that end at the same moment, the same with a gateway that holds the deletions of their pods, and `kindling logs` of an application whose pods are gone. The pods are hollow: a program says what they say. Fails where a figure misses. `KINDLING_BENCH_ONLY` names one part (`archive`, `history-server`, `running`, `ending`, `held`, `logs`); `KINDLING_BENCH_RUNS`, `KINDLING_BENCH_EVENT_LOGS`, `KINDLING_BENCH_APPLICATIONS`, `KINDLING_BENCH_EXECUTORS` and `KINDLING_BENCH_STEADY_SECONDS` make it smaller",
    needs: "for Spark's history server `SPARK_HOMES`, folders of real Sparks, and Java and Python",
    without: [],
    load: async () => (await import("./recorder.mjs")).recorder,
  },
  {
    name: "recorder-ends",
    compares:
      "real applications that end in ten ways, and what the recorder keeps of them: logs to the last byte, verdicts, and event logs in the real history servers of their versions. It wants a cluster with the chart and its recorder, whose archive outlives its pod. `KINDLING_BENCH_NAMESPACES`: one for applications, and namespaces that are deleted with the applications in them. `KINDLING_BENCH_STOP_NODE` and `KINDLING_BENCH_START_NODE`: commands that stop and start the kubelet. Fails where a figure misses. `KINDLING_BENCH_RUNS` makes it smaller, `KINDLING_BENCH_AT_ONCE` runs more at once, `KINDLING_BENCH_ONLY` names ways",
    needs: `${CLUSTER}; for event logs \`KINDLING_E2E_SPARK_HOME\` with \`{version}\` in it, and Java`,
    without: ["KUBECONFIG", "KINDLING_BENCH_NAMESPACES"],
    load: async () => (await import("./recorder-ends.mjs")).recorderEnds,
  },
  {
    name: "recorder-cost",
    compares:
      "what the recorder costs applications of a real cluster: when a driver starts with and without its event log recorded, by turns; and the processor time of the recorder and of the containers that bring event logs, beside that of the applications. It wants a cluster with the chart and its recorder. `KINDLING_BENCH_NAMESPACES`: one for applications. Fails where a figure misses. `KINDLING_BENCH_PAIRS`, `KINDLING_BENCH_APPLICATIONS` and `KINDLING_BENCH_BUSY_SECONDS` make it smaller",
    needs: CLUSTER,
    without: ["KUBECONFIG", "KINDLING_BENCH_NAMESPACES"],
    load: async () => (await import("./recorder-cost.mjs")).recorderCost,
  },
  {
    name: "connect",
    compares:
      "sessions of real Spark through `kindling-connect` and directly: from `remote()` to the first count with and without a warm driver, the time of a call, what a large result takes, memory with idle sessions, and queries while the service is killed each minute. With Sail, another server of Spark Connect, the time to the first count. A thousand attacks of some eighty kinds, whether each was refused, and whether an honest user noticed. `KINDLING_BENCH_NAMESPACE` and `KINDLING_BENCH_ACCOUNT` say where drivers run. Fails where a figure misses. `KINDLING_BENCH_ONLY` names parts (cold, warm, sail, share, idle, killed, attacks); `KINDLING_BENCH_TURNS`, `KINDLING_BENCH_MEBIBYTES`, `KINDLING_BENCH_SECONDS` and `KINDLING_BENCH_ATTACKS` make it smaller, and `KINDLING_BENCH_SEED` repeats the attacks of another run",
    needs: `${CLUSTER}, whose pods this machine reaches, or that of \`kindling dev up\`; \`KINDLING_E2E_CONNECT_PYTHON\`, a Python with \`pyspark-client\`; for Sail \`KINDLING_BENCH_SAIL_IMAGE\`, an image on the nodes that has \`sail\``,
    without: ["KUBECONFIG", "KINDLING_E2E_CONNECT_PYTHON"],
    load: async () => (await import("./connect.mjs")).connectSessions,
  },
  {
    name: "staging",
    compares: "the staging server, nginx, which verifies nothing, and a registry, which verifies as it does",
    needs: "`nginx` with its dav module, `docker-registry`, `curl`",
    without: [],
    load: async () => (await import("./staging.mjs")).staging,
  },
  {
    name: "staging-hostile",
    compares:
      "a staging server with 256 MiB of memory and 256 descriptors, and a well-behaved tenant, alone and among 2,000 hostile connections for ten minutes; also by itself, `node staging-hostile.mjs --minutes 1`. The memory is limited only where a cgroup can be made, as root can",
    needs: "",
    without: [],
    load: async () => {
      const { stagingHostile } = await import("./staging-hostile.mjs");
      return async () => (await stagingHostile()).text;
    },
  },
  {
    name: "localizer",
    compares:
      "the localizer's start; 300 MB of jars and the one tar.gz of the old fork, unpacked in a JVM, by curl and tar, by Python",
    needs: "`curl`, `python3`; for the JVM, `javac` and `SPARK_HOMES`",
    without: [],
    load: async () => (await import("./localizer.mjs")).localizer,
  },
  {
    name: "devcluster-pods",
    compares: "from a pod's creation to the first output of its process, and the same program as a plain process",
    needs: "user namespaces, or root",
    without: [],
    load: async () => (await import("./devcluster-pods.mjs")).devclusterPods,
  },
  {
    name: "images",
    compares:
      "sizes of the container images, on disk and compressed, and what is stated of others; their Node, and the one that they had before",
    needs: "the npm registry, for both versions of Node",
    without: [],
    load: async () => (await import("./images.mjs")).images,
  },
];
