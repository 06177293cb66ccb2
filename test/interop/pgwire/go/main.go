// Go clients against a Grainline that listens on the port given and wants the key given; prints one line of JSON per check.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/lib/pq"
)

const top = `SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC, 1 LIMIT 3`
const some = `SELECT "Flight Count" FROM flights WHERE "Airline" = $1 AND "Year Built" > $2`
const slow = `SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights ORDER BY 1, 2, 3 LIMIT 400000`
const tables = `SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 2`
const types = `SELECT "Text", "Whole", "Fraction", "Amount", "Flag", "Day", "Clock", "Moment", "Instant", "Document" FROM types ORDER BY "Text"`

// The model, and each of its other facts with what it reaches.
var relations = [][2]string{{"flights", "flights"}, {"flights", "flights__Hours"}, {"flights", "flights__Planes"}, {"flights", "flights__Weather"}}

func check(name string, work func() error) {
	outcome := map[string]any{"name": name, "ok": true}
	if err := work(); err != nil {
		outcome["ok"] = false
		outcome["error"] = err.Error()
	}
	line, _ := json.Marshal(outcome)
	fmt.Println(string(line))
}

func same(given, expected any) error {
	if !reflect.DeepEqual(given, expected) {
		return fmt.Errorf("%#v is not %#v", given, expected)
	}
	return nil
}

func url(database string) string {
	return fmt.Sprintf("postgres://anybody:%s@127.0.0.1:%s/%s?sslmode=disable", os.Args[2], os.Args[1], database)
}

var leapDay = time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
var moment = time.Date(2024, 2, 29, 12, 34, 56, 789_000_000, time.UTC)

func main() {
	ctx := context.Background()
	withPgx := func(name, database string, work func(*pgx.Conn) error) {
		check("pgx: "+name, func() error {
			connection, err := pgx.Connect(ctx, url(database))
			if err != nil {
				return err
			}
			defer connection.Close(ctx)
			return work(connection)
		})
	}
	withPgx("the tables, after SCRAM", "flights", func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, tables)
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (named [2]string, err error) {
			err = row.Scan(&named[0], &named[1])
			return
		})
		if err != nil {
			return err
		}
		return same(found, relations)
	})
	withPgx("rows, parameters, batch, COPY", "flights", func(c *pgx.Conn) error {
		var airline string
		var flights int64
		if err := c.QueryRow(ctx, top).Scan(&airline, &flights); err != nil || airline != "United Air Lines Inc." || flights != 58665 {
			return fmt.Errorf("%s %d %w", airline, flights, err)
		}
		// The modes differ in who knows the types of the parameters, and in text and binary.
		for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
			if err := c.QueryRow(ctx, some, mode, "JetBlue Airways", 2003).Scan(&flights); err != nil || flights != 43130 {
				return fmt.Errorf("mode %v: %d %w", mode, flights, err)
			}
		}
		batch := &pgx.Batch{}
		for i := 0; i < 5; i++ {
			batch.Queue(some, "JetBlue Airways", 2003)
		}
		results := c.SendBatch(ctx, batch)
		for i := 0; i < 5; i++ {
			if err := results.QueryRow().Scan(&flights); err != nil || flights != 43130 {
				return fmt.Errorf("batch: %d %w", flights, err)
			}
		}
		if err := results.Close(); err != nil {
			return err
		}
		if tag, err := c.PgConn().CopyTo(ctx, os.Stderr, "COPY ("+top+") TO STDOUT"); err != nil || tag.RowsAffected() != 3 {
			return fmt.Errorf("COPY: %v %w", tag, err)
		}
		return nil
	})
	withPgx("every type, and NULL", "types", func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, types)
		if err != nil {
			return err
		}
		defer rows.Close()
		if !rows.Next() {
			return errors.New("no row")
		}
		var text string
		var whole int64
		var fraction float64
		var amount pgtype.Numeric
		var flag bool
		var day, at, instant time.Time
		var clock pgtype.Time
		var document map[string]any
		if err := rows.Scan(&text, &whole, &fraction, &amount, &flag, &day, &clock, &at, &instant, &document); err != nil {
			return err
		}
		exact, _ := amount.Value()
		if err := same([]any{text, whole, fraction, exact, flag, day, clock.Microseconds, at, instant.UTC(), document},
			[]any{"Zürich, 'x'", int64(9007199254740993), 0.1, "12345678901.25", true, leapDay, int64(86398250000), moment, moment, map[string]any{"a": []any{1.0, nil}}}); err != nil {
			return err
		}
		if !rows.Next() {
			return errors.New("no second row")
		}
		values, err := rows.Values()
		if err != nil {
			return err
		}
		return same(values, make([]any, 10))
	})
	withPgx("an error, and a cancellation", "flights", func(c *pgx.Conn) error {
		var fault *pgconn.PgError
		if _, err := c.Exec(ctx, `SELECT "Airlin" FROM flights`); !errors.As(err, &fault) || fault.Code != "42703" || fault.Position != 8 {
			return fmt.Errorf("%v", err)
		}
		go func() {
			time.Sleep(50 * time.Millisecond)
			c.PgConn().CancelRequest(ctx)
		}()
		if _, err := c.Exec(ctx, slow); !errors.As(err, &fault) || fault.Code != "57014" {
			return fmt.Errorf("%v", err)
		}
		var one int
		return c.QueryRow(ctx, "SELECT 1").Scan(&one)
	})
	withPq := func(name, database string, work func(*sql.DB) error) {
		check("lib/pq: "+name, func() error {
			db, err := sql.Open("postgres", url(database))
			if err != nil {
				return err
			}
			defer db.Close()
			return work(db)
		})
	}
	withPq("the tables, parameters, prepared, transaction", "flights", func(db *sql.DB) error {
		rows, err := db.Query(tables)
		if err != nil {
			return err
		}
		defer rows.Close()
		var found [][2]string
		for rows.Next() {
			var named [2]string
			if err := rows.Scan(&named[0], &named[1]); err != nil {
				return err
			}
			found = append(found, named)
		}
		if err := errors.Join(rows.Err(), same(found, relations)); err != nil {
			return err
		}
		statement, err := db.Prepare(some)
		if err != nil {
			return err
		}
		transaction, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return err
		}
		defer transaction.Rollback()
		var flights int64
		if err := transaction.Stmt(statement).QueryRow("JetBlue Airways", 2003).Scan(&flights); err != nil || flights != 43130 {
			return fmt.Errorf("%d %w", flights, err)
		}
		return transaction.Commit()
	})
	withPq("every type, and NULL", "types", func(db *sql.DB) error {
		rows, err := db.Query(types)
		if err != nil {
			return err
		}
		defer rows.Close()
		for n := 0; rows.Next(); n++ {
			values, places := make([]any, 10), make([]any, 10)
			for i := range values {
				places[i] = &values[i]
			}
			if err := rows.Scan(places...); err != nil {
				return err
			}
			expected := make([]any, 10)
			if n == 0 {
				clock := time.Date(0, 1, 1, 23, 59, 58, 250_000_000, time.UTC)
				expected = []any{"Zürich, 'x'", int64(9007199254740993), 0.1, "12345678901.25", true, leapDay, clock, moment, moment, `{"a": [1, null]}`}
			}
			for i, value := range values {
				if bytes, isBytes := value.([]byte); isBytes {
					values[i] = string(bytes)
				}
				if at, isTime := value.(time.Time); isTime {
					values[i] = at.UTC()
				}
			}
			if err := same(values, expected); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	withPq("an error, and a cancellation", "flights", func(db *sql.DB) error {
		var fault *pq.Error
		if _, err := db.Exec(`SELECT "Airlin" FROM flights`); !errors.As(err, &fault) || fault.Code != "42703" {
			return fmt.Errorf("%v", err)
		}
		short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
		defer stop()
		if _, err := db.QueryContext(short, slow); !errors.As(err, &fault) || fault.Code != "57014" {
			return fmt.Errorf("%v", err)
		}
		return db.Ping()
	})
}
