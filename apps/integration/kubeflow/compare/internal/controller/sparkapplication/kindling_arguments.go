// Added to the stock operator's own package, for the comparison: how it builds arguments is not exported.

package sparkapplication

import (
	"encoding/json"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	operatorscheme "github.com/kubeflow/spark-operator/v2/pkg/scheme"
)

type argumentsAnswer struct {
	// Stock's error. If it is set, the other fields are empty.
	Error            string                  `json:"error,omitempty"`
	Arguments        []string                `json:"arguments,omitempty"`
	DriverTemplate   *corev1.PodTemplateSpec `json:"driverTemplate,omitempty"`
	ExecutorTemplate *corev1.PodTemplateSpec `json:"executorTemplate,omitempty"`
}

// Arguments answers which arguments stock passes to spark-submit for an application, after its webhook has set the defaults.
func Arguments(question json.RawMessage) (any, error) {
	asked := struct {
		Application  *v1beta2.SparkApplication `json:"application"`
		SubmissionID string                    `json:"submissionId"`
	}{}
	if err := json.Unmarshal(question, &asked); err != nil {
		return nil, err
	}
	operatorscheme.WebhookScheme.Default(asked.Application)
	asked.Application.Status.SubmissionID = asked.SubmissionID
	folder := filepath.Join("/tmp/spark", asked.SubmissionID)
	defer os.RemoveAll(folder)
	arguments, err := buildSparkSubmitArgs(asked.Application)
	if err != nil {
		return argumentsAnswer{Error: err.Error()}, nil
	}
	driver, err := readTemplate(filepath.Join(folder, "driver-pod-template.yaml"))
	if err != nil {
		return nil, err
	}
	executor, err := readTemplate(filepath.Join(folder, "executor-pod-template.yaml"))
	return argumentsAnswer{Arguments: arguments, DriverTemplate: driver, ExecutorTemplate: executor}, err
}

// Template answers how stock's types write a pod template.
func Template(question json.RawMessage) (any, error) {
	asked := struct {
		Template *corev1.PodTemplateSpec `json:"template"`
	}{}
	err := json.Unmarshal(question, &asked)
	return asked, err
}

func readTemplate(path string) (*corev1.PodTemplateSpec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	template := &corev1.PodTemplateSpec{}
	return template, yaml.UnmarshalStrict(text, template)
}
