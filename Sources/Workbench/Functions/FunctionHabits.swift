/// What to write in place of functions that other languages have.
struct FunctionHabit: Sendable {
    /// Names in lower case, without underscores.
    let names: [String]
    /// The fix of an unknown function of that name.
    let fix: String
    /// An entry that does what the fix says; runs as a test.
    let example: String

    /// The fix for an unknown name; `nil` where no habit is known.
    static func fix(for name: String) -> String? { byName[name.lowercased().replacing("_", with: "")] }

    private static let byName = Dictionary(
        all.flatMap { habit in habit.names.map { ($0, habit.fix) } }, uniquingKeysWith: { first, _ in first })

    private init(_ names: String, _ fix: String, _ example: String) {
        self.names = names.split(separator: " ").map(String.init)
        (self.fix, self.example) = (fix, example)
    }

    static let all: [FunctionHabit] = numbers + texts + dates + others

    private static let numbers = [
        FunctionHabit(
            "avg average", "mean(x) of a field in all rows; of a list: … | mean",
            "[{v: 1} {v: 3}] | each v - mean(v)"),
        FunctionHabit(
            "std stdev sd stddevsamp", "stddev(x), of `summarize`",
            "[{v: 1} {v: 3}] | summarize stddev(v)"),
        FunctionHabit(
            "variance var varsamp", "the square of stddev(x): … | summarize v=stddev(x) * stddev(x)",
            "[{v: 1} {v: 3}] | summarize v=stddev(v) * stddev(v)"),
        FunctionHabit(
            "percentile quantile pctl approxquantile",
            "p95(x), of p1(x) to p99(x): … | summarize p95(x)",
            "[{v: 1} {v: 3}] | summarize p95(v)"),
        FunctionHabit(
            "countdistinct nunique distinct", "… | summarize n=length(unique(x))",
            "[{v: 1} {v: 1}] | summarize n=length(unique(v))"),
        FunctionHabit(
            "int integer toint parseint toint64 trunc truncate",
            "number(x) of a text, floor(x) of a number", "floor(number('7.5'))"),
        FunctionHabit(
            "float double decimal tonumber parsefloat numeric val", "number(x) of a text", "number('7.5')"),
        FunctionHabit("pow power", "powers are products: x * x", "[{x: 2}] | each x * x"),
        FunctionHabit("mod modulo remainder", "x % y", "7 % 3"),
        FunctionHabit(
            "exp log ln log10 sin cos tan asin acos atan atan2 radians degrees",
            "those of SQLite: … | sql 'select *, ln(x) as y from it'",
            "[{x: 2}] | sql 'select *, ln(x) as y from it'"),
        FunctionHabit("sign sgn", "if(x < 0, -1, 1)", "[{x: -2}] | each if(x < 0, -1, 1)"),
    ]

    private static let texts = [
        FunctionHabit(
            "concat strcat paste join",
            "texts are joined with +: a + ', ' + b; those of a field: … | concat ', '",
            "[{a: 'x' b: 'y'}] | each a + ', ' + b"),
        FunctionHabit("len strlen size charlength", "length(x)", "length('abc')"),
        FunctionHabit("str tostring string cast", "text(x)", "text(5km)"),
        FunctionHabit(
            "substr substring slice mid left right",
            "that of SQLite: … | sql 'select *, substr(x, 1, 2) as y from it'",
            "[{x: 'abc'}] | sql 'select *, substr(x, 1, 2) as y from it'"),
        FunctionHabit(
            "lpad rpad zfill pad padleft padstart printf sprintf",
            "that of SQLite: … | sql \"select *, printf('%05d', x) as y from it\"",
            "[{x: 7}] | sql \"select *, printf('%05d', x) as y from it\""),
        FunctionHabit(
            "indexof index find position instr charindex includes has",
            "contains(text, part); … | where text =~ 'PATTERN' finds a pattern", "contains('abc', 'b')"),
        FunctionHabit("startswith beginswith hasprefix", "starts(text, beginning)", "starts('abc', 'a')"),
        FunctionHabit("endswith hassuffix", "ends(text, end)", "ends('abc', 'c')"),
        FunctionHabit(
            "regexreplace regexpreplace gsub sub replaceall",
            "replace(text, old, new), of every occurrence of a plain text", "replace('a b', ' ', '')"),
        FunctionHabit(
            "regexmatch regexpmatches regexplike match like ilike",
            "a pattern is matched by =~: … | where name =~ 'PATTERN'", "'abc' =~ 'b.'"),
        FunctionHabit("strip lstrip rstrip ltrim rtrim", "trim(text), at both ends", "trim(' a ')"),
        FunctionHabit("uppercase toupper ucase", "upper(text)", "upper('a')"),
        FunctionHabit("lowercase tolower lcase", "lower(text)", "lower('A')"),
    ]

    private static let dates = [
        FunctionHabit(
            "now today currentdate currenttimestamp getdate curdate",
            "without brackets behind it: the time is `now`, the day `today`; alone in a line `(now)`",
            "year(now)"),
        FunctionHabit(
            "datediff daysbetween", "days(from, to); a duration is their difference: to - from",
            "days(2026-02-01, 2026-03-01)"),
        FunctionHabit(
            "timediff timestampdiff age", "subtract them: now - date", "2026-03-01 - 2026-02-01"),
        FunctionHabit(
            "dateadd adddays addmonths datesub", "date + 3d, date + 1 month", "2026-03-01 + 3d"),
        FunctionHabit(
            "todate todatetime datetime strptime timestamp totimestamp parsedate dateparse",
            "parse(text) reads ISO 8601, date(text, 'd/M/yyyy') other patterns",
            "date('3/2/2026', 'd/M/yyyy')"),
        FunctionHabit(
            "strftime dateformat formatdate tochar", "format(date, 'yyyy-MM-dd')",
            "format(2026-03-01, 'd MMM yyyy')"),
        FunctionHabit(
            "minute second week weekofyear isoweek dayofyear",
            "a part of a date as a number: number(format(date, 'm')), with s for seconds, w for the week, D for the day of the year",
            "number(format(2026-03-01T10:07, 'm'))"),
        FunctionHabit("quarter", "ceil(month(date) / 3)", "ceil(month(2026-05-01) / 3)"),
        FunctionHabit("dayofweek dow isodow", "weekday(date), 1 for Monday", "weekday(2026-03-01)"),
    ]

    private static let others = [
        FunctionHabit(
            "isnull isna isnan isempty isblank ismissing", "x == nothing", "[{x: 1}] | where x == nothing"),
        FunctionHabit("isnotnull notnull notna", "x != nothing", "[{x: 1}] | where x != nothing"),
        FunctionHabit("ifnull nvl fillna", "coalesce(x, 0)", "coalesce(nothing, 0)"),
        FunctionHabit(
            "ifelse iif iff cond case when switch", "if(condition, a, b)", "if(1 < 2, 'a', 'b')"),
        FunctionHabit(
            "haversine geodistance stdistance greatcircle", "distance(a, b)",
            "distance(46.5,7.9, 46.6,7.9)"),
        FunctionHabit("azimuth heading course", "bearing(a, b)", "bearing(46.5,7.9, 46.6,7.9)"),
        FunctionHabit(
            "point stpoint makepoint stmakepoint latlon latlng geopoint", "coordinate(lat, lon)",
            "coordinate(46.5, 7.9)"),
        FunctionHabit(
            "dms utm mgrs geohash pluscode", "notation(at, 'utm'), with the name of the notation",
            "notation(46.5,7.9, 'utm')"),
        FunctionHabit(
            "lag lead shift prev next cumsum rank ntile",
            "rows before and after are SQLite's: … | sql 'select *, lag(x) over (order by x) as before from it'",
            "[{x: 1} {x: 2}] | sql 'select *, lag(x) over (order by x) as before from it'"),
        FunctionHabit("rownumber rownum", "the rows numbered: … | enumerate", "[{x: 1}] | enumerate"),
        FunctionHabit("typeof type kind", "the kinds of fields: … | describe", "[{x: 1}] | describe"),
    ]
}
