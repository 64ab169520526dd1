// Added to the stock operator's module, for comparisons: it reads questions as lines of JSON and answers each with one line,
// with stock's own code. If stock refuses an input, the answer holds its error. A line that is not a question is answered
// with a failure.

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"os"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kubeflow/spark-operator/v2/internal/controller/sparkapplication"
	"github.com/kubeflow/spark-operator/v2/internal/controller/sparkconnect"
)

var answers = map[string]func(json.RawMessage) (any, error){
	"arguments":    sparkapplication.Arguments,
	"template":     sparkapplication.Template,
	"surroundings": sparkapplication.Surround,
	"connect":      sparkconnect.Connect,
	"pod":          answerPod,
}

type failure struct {
	Failure string `json:"failure"`
}

func main() {
	ctrl.SetLogger(logr.Discard())
	questions := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := bufio.NewWriter(os.Stdout)
	written := json.NewEncoder(output)
	written.SetEscapeHTML(false)
	for {
		var question json.RawMessage
		if err := questions.Decode(&question); err == io.EOF {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		if err := written.Encode(answerTo(question)); err != nil {
			log.Fatal(err)
		}
	}
	if err := output.Flush(); err != nil {
		log.Fatal(err)
	}
}

func answerTo(question json.RawMessage) any {
	asked := struct {
		What string `json:"what"`
	}{}
	if err := json.Unmarshal(question, &asked); err != nil {
		return failure{err.Error()}
	}
	answer, isKnown := answers[asked.What]
	if !isKnown {
		return failure{"nothing is known of " + asked.What}
	}
	answered, err := answer(question)
	if err != nil {
		return failure{err.Error()}
	}
	return answered
}
