package main

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubeflow/spark-operator/v2/api/v1beta2"
	"github.com/kubeflow/spark-operator/v2/internal/webhook"
)

type podQuestion struct {
	// Optional. Without an application, the pod is returned as stock's types write it.
	Application *v1beta2.SparkApplication `json:"application"`
	Pod         *corev1.Pod               `json:"pod"`
}

type podAnswer struct {
	// Stock's error. If it is set, there is no pod.
	Error string      `json:"error,omitempty"`
	Pod   *corev1.Pod `json:"pod,omitempty"`
}

// answerPod answers the question "pod": how the admission webhook changes a pod of an application.
func answerPod(text json.RawMessage) (any, error) {
	var question podQuestion
	if err := json.Unmarshal(text, &question); err != nil {
		return nil, err
	}
	if question.Application != nil {
		if err := webhook.MutatePod(question.Pod, question.Application); err != nil {
			return podAnswer{Error: err.Error()}, nil
		}
	}
	return podAnswer{Pod: question.Pod}, nil
}
