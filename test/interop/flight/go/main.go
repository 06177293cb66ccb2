// The ADBC driver of Go against a Grainline at the port given; a key may follow, and the files of an authority, a certificate and its key.
// It prints one line of JSON per check.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/apache/arrow-adbc/go/adbc"
	"github.com/apache/arrow-adbc/go/adbc/driver/flightsql"
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Prints whether what was found is what was expected.
func say(name string, given any, expected any) {
	found, wanted := fmt.Sprint(given), fmt.Sprint(expected)
	line, _ := json.Marshal(map[string]any{"name": "ADBC for Go: " + name, "ok": found == wanted, "found": found})
	fmt.Println(string(line))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func rowsOf(reader array.RecordReader) [][]string {
	rows := [][]string{}
	for reader.Next() {
		batch := reader.Record()
		for row := 0; row < int(batch.NumRows()); row++ {
			cells := []string{}
			for _, column := range batch.Columns() {
				cells = append(cells, column.ValueStr(row))
			}
			rows = append(rows, cells)
		}
	}
	check(reader.Err())
	return rows
}

func main() {
	ctx := context.Background()
	allocator := memory.DefaultAllocator
	options := map[string]string{"uri": "grpc://127.0.0.1:" + os.Args[1]}
	if len(os.Args) > 5 {
		options["uri"] = "grpc+tls://localhost:" + os.Args[1]
		for i, name := range []string{flightsql.OptionSSLRootCerts, flightsql.OptionMTLSCertChain, flightsql.OptionMTLSPrivateKey} {
			content, err := os.ReadFile(os.Args[3+i])
			check(err)
			options[name] = string(content)
		}
	}
	if len(os.Args) > 2 {
		options[adbc.OptionKeyUsername] = "anybody"
		options[adbc.OptionKeyPassword] = os.Args[2]
	}
	database, err := flightsql.NewDriver(allocator).NewDatabase(options)
	check(err)
	connection, err := database.Open(ctx)
	check(err)
	defer connection.Close()

	statement, err := connection.NewStatement()
	check(err)
	check(statement.SetSqlQuery(`SELECT "Origin Airport", "Flight Count" FROM flights ORDER BY 2 DESC`))
	reader, _, err := statement.ExecuteQuery(ctx)
	check(err)
	say("query", rowsOf(reader), "[[Newark Liberty Intl 120835] [John F Kennedy Intl 111279] [La Guardia 104662]]")

	check(statement.SetSqlQuery(`SELECT "Airline", "Flight Count" FROM flights WHERE "Origin Code" = ? ORDER BY 2 DESC LIMIT 2`))
	check(statement.Prepare(ctx))
	parameters, err := statement.GetParameterSchema()
	check(err)
	say("parameters", parameters.Field(0).Type.String(), "utf8")
	builder := array.NewRecordBuilder(allocator, arrow.NewSchema([]arrow.Field{{Name: "0", Type: arrow.BinaryTypes.String}}, nil))
	builder.Field(0).(*array.StringBuilder).Append("JFK")
	check(statement.Bind(ctx, builder.NewRecord()))
	reader, _, err = statement.ExecuteQuery(ctx)
	check(err)
	say("bound", rowsOf(reader), "[[JetBlue Airways 42076] [Delta Air Lines Inc. 20701]]")

	table := "flights"
	reader, err = connection.GetObjects(ctx, adbc.ObjectDepthColumns, nil, nil, &table, nil, nil)
	check(err)
	objects := rowsOf(reader)
	say("objects", strings.Contains(fmt.Sprint(objects), "Origin Airport"), true)
	schema, err := connection.GetTableSchema(ctx, nil, nil, "flights")
	check(err)
	say("schema", len(schema.Fields()) > 20, true)
	reader, err = connection.GetTableTypes(ctx)
	check(err)
	say("types", rowsOf(reader), "[[TABLE]]")
	reader, err = connection.GetInfo(ctx, nil)
	check(err)
	say("info", len(rowsOf(reader)) > 3, true)

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	check(statement.SetSqlQuery(`SELECT "Flight Count" FROM flights`))
	_, _, err = statement.ExecuteQuery(cancelled)
	var failure adbc.Error
	say("cancelled", errors.As(err, &failure) && failure.Code == adbc.StatusCancelled, true)
}
