//! tokio-postgres against a Grainline that listens on the port given and wants the key given; prints one line of JSON per check.
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use futures_util::{pin_mut, StreamExt};
use serde_json::{json, Value};
use std::{env, error::Error, fmt::Debug, time::Duration};
use tokio_postgres::{types::Type, Client, NoTls};

const TOP: &str = r#"SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC, 1 LIMIT 3"#;
const SOME: &str = r#"SELECT "Flight Count" FROM flights WHERE "Airline" = $1 AND "Year Built" > $2"#;
const SLOW: &str = r#"SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights ORDER BY 1, 2, 3 LIMIT 400000"#;
const TABLES: &str = "SELECT table_schema::text, table_name::text FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 2";
/// The model, and each of its other facts with what it reaches.
const RELATIONS: [(&str, &str); 4] = [("flights", "flights"), ("flights", "flights__Hours"), ("flights", "flights__Planes"), ("flights", "flights__Weather")];
const TYPES: &str = r#"SELECT "Text", "Whole", "Fraction", "Amount", "Flag", "Day", "Clock", "Moment", "Instant", "Document" FROM types ORDER BY "Text""#;

type Outcome = Result<(), Box<dyn Error>>;

fn same<T: PartialEq + Debug>(given: T, expected: T) -> Outcome {
    if given == expected { Ok(()) } else { Err(format!("{given:?} is not {expected:?}").into()) }
}

fn report(name: &str, outcome: Outcome) {
    match outcome {
        Ok(()) => println!("{}", json!({ "name": name, "ok": true })),
        Err(error) => println!("{}", json!({ "name": name, "ok": false, "error": format!("{error:?}") })),
    }
}

async fn connect(database: &str) -> Result<Client, Box<dyn Error>> {
    let [port, key]: [String; 2] = env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "a port and a key")?;
    let text = format!("host=127.0.0.1 port={port} user=anybody password={key} dbname={database}");
    let (client, connection) = tokio_postgres::connect(&text, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

async fn tables() -> Outcome {
    let rows = connect("flights").await?.query(TABLES, &[]).await?;
    same(rows.iter().map(|row| (row.get(0), row.get(1))).collect::<Vec<(&str, &str)>>(), RELATIONS.to_vec())
}

async fn parameters() -> Outcome {
    let mut client = connect("flights").await?;
    let statement = client.prepare(SOME).await?;
    same(statement.params(), &[Type::TEXT, Type::INT8])?;
    same(client.query_one(&statement, &[&"JetBlue Airways", &2003i64]).await?.get::<_, i64>(0), 43130)?;
    // A cursor: the rows of a portal in parts.
    let transaction = client.build_transaction().read_only(true).start().await?;
    let portal = transaction.bind(TOP, &[]).await?;
    same(transaction.query_portal(&portal, 2).await?.len(), 2)?;
    same(transaction.query_portal(&portal, 2).await?.len(), 1)?;
    transaction.commit().await?;
    let copied = client.copy_out(&format!("COPY ({TOP}) TO STDOUT")).await?;
    pin_mut!(copied);
    let mut text = Vec::new();
    while let Some(part) = copied.next().await {
        text.extend_from_slice(&part?);
    }
    same(text.starts_with(b"United Air Lines Inc.\t58665\n"), true)
}

async fn types() -> Outcome {
    let client = connect("types").await?;
    let statement = client.prepare(TYPES).await?;
    let names: Vec<&str> = statement.columns().iter().map(|column| column.type_().name()).collect();
    same(names, vec!["text", "int8", "float8", "numeric", "bool", "date", "time", "timestamp", "timestamptz", "json"])?;
    let rows = client.query(&statement, &[]).await?;
    let row = &rows[0];
    same(row.get::<_, &str>(0), "Zürich, 'x'")?;
    same(row.get::<_, i64>(1), 9007199254740993)?;
    same(row.get::<_, f64>(2), 0.1)?;
    same(row.get::<_, bool>(4), true)?;
    let day = NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
    same(row.get::<_, NaiveDate>(5), day)?;
    same(row.get::<_, NaiveTime>(6), NaiveTime::from_hms_milli_opt(23, 59, 58, 250).unwrap())?;
    let moment = day.and_hms_milli_opt(12, 34, 56, 789).unwrap();
    same(row.get::<_, NaiveDateTime>(7), moment)?;
    same(row.get::<_, DateTime<Utc>>(8), moment.and_utc())?;
    same(row.get::<_, Value>(9), json!({ "a": [1, null] }))?;
    same(rows[1].get::<_, Option<&str>>(0), None)?;
    same(rows[1].get::<_, Option<DateTime<Utc>>>(8), None)
}

async fn errors() -> Outcome {
    let client = connect("flights").await?;
    let error = client.query(r#"SELECT "Airlin" FROM flights"#, &[]).await.err().ok_or("no error")?;
    let fault = error.as_db_error().ok_or("no fault of the server")?;
    same((fault.code().code(), fault.hint().unwrap_or("").contains("Airline")), ("42703", true))?;
    let token = client.cancel_token();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let _ = token.cancel_query(NoTls).await;
    });
    let error = client.query(SLOW, &[]).await.err().ok_or("it was not cancelled")?;
    same(error.code().map(|code| code.code().to_owned()), Some("57014".to_owned()))?;
    same(client.query_one("SELECT 1", &[]).await?.get::<_, i32>(0), 1)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    report("tokio-postgres: the tables, after SCRAM", tables().await);
    report("tokio-postgres: parameters, portals, COPY", parameters().await);
    report("tokio-postgres: every type, and NULL", types().await);
    report("tokio-postgres: an error, and a cancellation", errors().await);
}
