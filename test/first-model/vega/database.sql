-- Four tables without keys, with the names of spreadsheets, and a date that is a text.
CREATE TABLE birdstrikes AS SELECT * FROM 'FOLDER/birdstrikes.parquet';
CREATE TABLE seattle_weather AS SELECT * FROM 'FOLDER/seattle_weather.parquet';
CREATE TABLE gapminder AS SELECT * FROM 'FOLDER/gapminder.parquet';
CREATE TABLE gapminder_health_income AS SELECT * FROM 'FOLDER/gapminder_health_income.parquet';
