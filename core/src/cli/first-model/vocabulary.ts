/** What words in the name of a column say about its values. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Integers that are grouped by and not aggregated. */
export const CATEGORIES = words(
  'year quarter month week weekday day hour minute second zip postcode phone version rank level priority',
)
/** Numbers that are positions: neither grouped by nor aggregated. */
export const PLACES = words(
  'lat latitude lon lng long longitude tz dir direction azimuth line seq sequence position index ordinal x y z',
)
/** Words that may precede `time` in the name of a duration; other times are clock times, such as 1730. */
export const LENGTHS = words('air elapsed travel wait waiting response processing run running load total lead cycle handling')
/** Numbers that are averaged, because their sum has no meaning. */
export const AVERAGED = words(
  'unit retail list supply price rate ratio percent percentage pct discount tax margin share interest score rating grade age avg average mean median min max ' +
    'temp temperature humid humidity pressure speed gust wind dewp visib visibility alt altitude elevation factor probability stars height width length ' +
    'depth weight size balance bal stock inventory delay expectancy expect acceleration horsepower displacement mpg efficiency density magnitude mag fertility',
)
/** Numbers that count things and may be summed. */
export const ADDED = words(
  'quantity qty amount count total units items pieces minutes hours seconds milliseconds bytes days duration distance miles km seats points visits views ' +
    'clicks impressions sessions orders sales sold revenue cost profit fee fees value precip precipitation rainfall passengers gross budget freight ' +
    'population pop people votes spend spending expense expenses salary wages',
)
/** Of things that are listed once each, these are summed; other numbers are properties of each thing, and are averaged. */
export const ADDED_OF_THINGS = words(
  'quantity qty amount count total units items pieces seats visits views clicks impressions orders sales sold revenue gross budget population pop people votes',
)
/** Words that make a price or a weight a total. */
export const SUMMED = words('total extended gross net subtotal units')
/** Last words of a name that refers to a row: `reports_to`. */
export const REFERRING = words('to by of')
/** Texts that are read and not grouped by. */
export const PROSE = words('comment comments description desc note notes remarks body text message content bio fulltext')
/** Addresses of people and pages: one for nearly every row, and often personal. */
export const CONTACT = words(
  'phone mobile telephone fax email mail street address address1 address2 postcode zip url uri link homepage website photo picture image avatar thumbnail ip ssn',
)
/** No report should show these. */
export const SECRETS = words('password passwd pwd hash secret token salt')
/** A time or a person of the last change of a row, not of what the row describes. */
export const CHANGES = words('update updated modified modification changed edited loaded ingested synced etl dwh')
/** Names that need the name of their object. */
export const BARE = words(
  'id code key name title label type kind status state date day month year time created updated modified description number total ' +
    'amount quantity price cost count value size active enabled priority category',
)
/** Names of persons and things, by which roles are known. */
export const NAMES = words('name title label')
/** Names that say that a column is the time of something, and not of what. */
export const CLOCK_WORDS = words('date time timestamp at on day datetime ts')
