import { expect, it } from "vitest";
import { toArguments } from "../../src/translate/arguments.ts";
import { translated } from "./an-application.ts";

const PLACES = {
  master: "k8s://https://10.0.0.1:443",
  driverTemplateFile: "/t/driver",
  executorTemplateFile: "/t/executor",
};

it("has the main file and its arguments behind all flags, in stock's order", () => {
  const translation = translated({
    spec: {
      mainClass: "Main",
      proxyUser: "ada",
      arguments: ["--conf", "a=b"],
      deps: {
        ...{ jars: ["a.jar", "b.jar"], packages: ["g:a:1"], excludePackages: ["g:b"], repositories: ["https://repo"] },
        ...{ pyFiles: ["a.py"], files: ["a.txt"], archives: ["a.zip#a"] },
      },
    },
  });
  const list = toArguments(translation, PLACES);
  const flags = list.filter((word, index) => word !== "--conf" && list[index - 1] !== "--conf");
  expect(flags).toEqual([
    ...["--master", "k8s://https://10.0.0.1:443", "--deploy-mode", "cluster", "--class", "Main", "--name", "pi"],
    ...["--jars", "a.jar,b.jar", "--packages", "g:a:1", "--exclude-packages", "g:b", "--repositories", "https://repo"],
    ...["--py-files", "a.py", "--files", "a.txt", "--archives", "a.zip#a"],
    ...["--proxy-user", "ada", "local:///opt/app.jar"],
  ]);
  expect(list.slice(-3)).toEqual(["local:///opt/app.jar", "--conf", "a=b"]);
});

it("says where both templates are, and which container is Spark's, whatever sparkConf says", () => {
  const key = "spark.kubernetes.driver.podTemplateFile";
  const list = toArguments(translated({ spec: { sparkConf: { [key]: "/elsewhere" } } }), PLACES);
  expect(list.filter((word) => word.includes(".podTemplate"))).toEqual([
    `${key}=/elsewhere`,
    `${key}=/t/driver`,
    "spark.kubernetes.driver.podTemplateContainerName=spark-kubernetes-driver",
    "spark.kubernetes.executor.podTemplateFile=/t/executor",
    "spark.kubernetes.executor.podTemplateContainerName=spark-kubernetes-executor",
  ]);
});
