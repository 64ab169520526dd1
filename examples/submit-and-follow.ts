import { DevCluster } from "@kindling/devcluster";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { systemOutside } from "@kindling/outside";
import { apply, follow, gather, plan, type SubmitRequest } from "@kindling/submit";

const cluster = await DevCluster.start();
const client = createKubeClient(await loadClusterAccess({ env: {}, overlays: { server: cluster.url } }));
const request: SubmitRequest = {
  application: { resource: "local:///opt/app/etl.py", arguments: ["2026-11-21"] },
  name: "etl",
  conf: { "spark.kubernetes.container.image": "apache/spark:4.3.0", "spark.executor.instances": "2" },
  driverTemplate: {
    metadata: { annotations: { "hollow.devcluster.kindling/run-for": "200ms" } },
    spec: { containers: [] },
  },
};
const { input, steps } = await gather(request, systemOutside(), "nothing", { connection: { kind: "client", client } });
const planned = plan(input, steps);
const { preResources, pod, resources } = planned.objects;
for (const { kind, metadata } of [...preResources, pod, ...resources]) console.log(`${kind}/${metadata?.name}`);
const { application } = await apply(planned, client);
console.log(application.submissionId, await follow(application, client));
client.close();
await cluster.stop();
