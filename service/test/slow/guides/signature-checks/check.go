// Reads a case a line, as the test writes them, and answers true, false or error.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"
)

var names = []string{"webhook-id", "webhook-timestamp", "webhook-signature", "authorization"}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		headers := http.Header{}
		for index, name := range names {
			if parts[index] != "" {
				headers.Set(name, parts[index])
			}
		}
		fmt.Println(answer(headers, parts[4], parts[5]))
	}
}

func answer(headers http.Header, body, secret string) (text string) {
	defer func() {
		if recover() != nil {
			text = "error"
		}
	}()
	bytes, _ := base64.StdEncoding.DecodeString(body)
	return fmt.Sprint(isGenuine(headers, bytes, os.Args[1], os.Args[2], secret))
}
