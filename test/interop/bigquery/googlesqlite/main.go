// The analyser of GoogleSQL with SQLite below it. Reads {"sql", "analyse"} a line, answers each by a line: {"columns", "types", "rows"},
// nothing where the statement was only to be analysed, or {"error"}.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"strconv"
	"strings"

	_ "github.com/goccy/googlesqlite"
)

type reply struct {
	Columns []string `json:"columns,omitempty"`
	Types   []string `json:"types,omitempty"`
	Rows    [][]any  `json:"rows,omitempty"`
	Error   string   `json:"error,omitempty"`
}

func main() {
	database, err := sql.Open("googlesqlite", ":memory:")
	if err != nil {
		panic(err)
	}
	connection, err := database.Conn(context.Background())
	if err != nil {
		panic(err)
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	replies := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		var request struct {
			SQL     string `json:"sql"`
			Analyse bool   `json:"analyse"`
		}
		if err := json.Unmarshal([]byte(line), &request); err != nil {
			panic(err)
		}
		found, err := answer(connection, request.SQL, request.Analyse)
		if err != nil {
			found = reply{Error: err.Error()}
		}
		if err := replies.Encode(found); err != nil {
			panic(err)
		}
	}
}

func answer(connection *sql.Conn, text string, analyse bool) (reply, error) {
	if analyse {
		statement, err := connection.PrepareContext(context.Background(), text)
		if err == nil {
			err = statement.Close()
		}
		return reply{}, err
	}
	if !strings.HasPrefix(text, "SELECT") && !strings.HasPrefix(text, "WITH") {
		_, err := connection.ExecContext(context.Background(), text)
		return reply{}, err
	}
	rows, err := connection.QueryContext(context.Background(), text)
	if err != nil {
		return reply{}, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return reply{}, err
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return reply{}, err
	}
	found := reply{Columns: columns}
	for _, column := range types {
		found.Types = append(found.Types, column.DatabaseTypeName())
	}
	for rows.Next() {
		values := make([]any, len(columns))
		places := make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return reply{}, err
		}
		for i, value := range values {
			switch of := value.(type) {
			case []byte:
				values[i] = string(of)
			case int64:
				// Beyond 2^53 a number of JSON is another one.
				values[i] = strconv.FormatInt(of, 10)
			}
		}
		found.Rows = append(found.Rows, values)
	}
	return found, rows.Err()
}
