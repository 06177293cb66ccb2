// Go clients against a Grainline that listens on the port given; prints one line of JSON per check.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	_ "github.com/lib/pq"
)

const top = `SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC, 1 LIMIT 3`
const some = `SELECT "Flight Count" FROM flights WHERE "Airline" = $1 AND "Year Built" > $2`

func check(name string, work func() error) {
	outcome := map[string]any{"name": name, "ok": true}
	if err := work(); err != nil {
		outcome["ok"] = false
		outcome["error"] = err.Error()
	}
	line, _ := json.Marshal(outcome)
	fmt.Println(string(line))
}

func main() {
	url := fmt.Sprintf("postgres://tester@127.0.0.1:%s/flights?sslmode=disable", os.Args[1])
	ctx := context.Background()
	check("pgx: rows, parameters, batch, COPY, cancellation", func() error {
		connection, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		defer connection.Close(ctx)
		var airline string
		var flights int64
		if err := connection.QueryRow(ctx, top).Scan(&airline, &flights); err != nil || airline != "United Air Lines Inc." || flights != 58665 {
			return fmt.Errorf("%s %d %w", airline, flights, err)
		}
		if err := connection.QueryRow(ctx, some, "JetBlue Airways", 2003).Scan(&flights); err != nil || flights != 43130 {
			return fmt.Errorf("%d %w", flights, err)
		}
		var at time.Time
		if err := connection.QueryRow(ctx, `SELECT "Scheduled At" FROM flights WHERE "Date" >= $1 ORDER BY 1 LIMIT 1`, time.Date(2013, 7, 1, 0, 0, 0, 0, time.UTC)).Scan(&at); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for i := 0; i < 5; i++ {
			batch.Queue(some, "JetBlue Airways", 2003)
		}
		results := connection.SendBatch(ctx, batch)
		for i := 0; i < 5; i++ {
			if err := results.QueryRow().Scan(&flights); err != nil || flights != 43130 {
				return fmt.Errorf("batch: %d %w", flights, err)
			}
		}
		if err := results.Close(); err != nil {
			return err
		}
		if tag, err := connection.PgConn().CopyTo(ctx, os.Stderr, "COPY ("+top+") TO STDOUT"); err != nil || tag.RowsAffected() != 3 {
			return fmt.Errorf("COPY: %v %w", tag, err)
		}
		return nil
	})
	check("lib/pq: rows, parameters, transaction", func() error {
		database, err := sql.Open("postgres", url)
		if err != nil {
			return err
		}
		defer database.Close()
		transaction, err := database.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return err
		}
		defer transaction.Rollback()
		var flights int64
		if err := transaction.QueryRow(some, "JetBlue Airways", 2003).Scan(&flights); err != nil || flights != 43130 {
			return fmt.Errorf("%d %w", flights, err)
		}
		return transaction.Commit()
	})
}
