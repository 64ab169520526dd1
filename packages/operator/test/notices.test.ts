import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { OperatedCluster } from "./support/operated-cluster.ts";

test("what does nothing in an application is told of, and keeps it from nothing", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.create("pi", {
    sparkConf: { "spark.kubernetes.file.upload.path": "/data/uploads", "spark.home": "/opt/spark" },
    volumes: [{ name: "data", emptyDir: {} }],
    driver: {
      serviceAccount: "spark",
      template: { spec: { containers: [{ name: "spark-kubernetes-driver", command: ["sh", "-c", "run"] }] } },
      volumeMounts: [
        { name: "data", mountPath: "/data" },
        { name: "dta", mountPath: "/more" },
      ],
    },
    executor: { volumeMounts: [{ name: "gone", mountPath: "/gone" }] },
    ...{ type: "Python", pythonVersion: "3", mainApplicationFile: "local:///opt/app.py" },
  });
  await operated.inState("pi", "RUNNING");
  const said = [
    expect.stringMatching(/^sparkConf key "spark\.home" has no effect: /),
    expect.stringMatching(/^sparkConf key "spark\.kubernetes\.file\.upload\.path" has no effect: /),
    'spec.driver.volumeMounts: nothing is mounted at "/more", because spec.volumes has no "dta"',
    expect.stringMatching(
      /^spec\.driver\.template: the command of container "spark-kubernetes-driver" takes the place/,
    ),
    'spec.executor.volumeMounts: nothing is mounted at "/gone", because spec.volumes has no "gone"',
    // The author of the object has never seen the key.
    expect.stringMatching(/^spec\.pythonVersion has had no effect since Spark 3\.1/),
  ];
  await eventually(async () => expect(await operated.notices("pi")).toEqual(said));
});
