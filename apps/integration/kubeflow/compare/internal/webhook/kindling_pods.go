// Added to the stock operator's own package, for the comparison: its mutation of pods is not exported.

package webhook

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
)

// MutatePod changes a pod in the same way as the admission webhook changes a pod of this application.
func MutatePod(pod *corev1.Pod, app *v1beta2.SparkApplication) error {
	return mutateSparkPod(pod, app)
}
