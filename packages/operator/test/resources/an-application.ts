import type { SparkApplication, SparkApplicationSpec } from "@kindling/spark-application";
import { aSparkApplication } from "@kindling/spark-application/testing";
import type { ApplicationObjectsContext } from "../../src/resources/application-objects.ts";

/** An application as the operator sees it, with its defaults. */
export function anApplication(spec: Partial<SparkApplicationSpec> = {}, name = "pi"): SparkApplication {
  return aSparkApplication(name)
    .in("team")
    .uid("0c8e5a6e-8a3b-4a33-a8b3-5a4d0f0f0c11")
    .driver({ cores: 1, memory: "1g" })
    .executor({ cores: 1, memory: "1g", instances: 1 })
    .spec({ mode: "cluster", mainApplicationFile: "local:///opt/spark/examples/jars/spark-examples.jar", ...spec })
    .build();
}

interface Settings {
  readonly ui?: Partial<ApplicationObjectsContext["settings"]["ui"]>;
  readonly batchScheduler?: Partial<ApplicationObjectsContext["settings"]["batchScheduler"]>;
  readonly enableDriverPdb?: boolean;
}

/** An operator that does only what is asked of it. */
export function anOperator({ ui, batchScheduler, enableDriverPdb = false }: Settings = {}): ApplicationObjectsContext {
  return {
    settings: {
      ui: {
        enableService: false,
        ingressClassName: undefined,
        ingressUrlFormat: undefined,
        ingressTls: [],
        ingressAnnotations: {},
        ...ui,
      },
      batchScheduler: { enabled: false, kubeSchedulerNames: [], default: undefined, ...batchScheduler },
      enableDriverPdb,
    },
    submissionId: "3e0b7cf4-3a0f-8f1c-9a3b-0d5c9f6d7f11",
    sparkApplicationId: "spark-0123456789abcdef",
  };
}
