import PluginTestKit
import Testing

@testable import TransitPlugin

/// Fares and translations as feeds have them; expected values are by hand from the GTFS Schedule reference.
@Suite struct FareTests {
    private static let attributes = "fare_id,price,currency_type,payment_method,transfers,transfer_duration\n"
    private static let rules = "fare_id,route_id,origin_id,destination_id,contains_id\n"

    /// The street with zones: A and B in 1, C in 2, D in 3.
    private static func zones() -> String {
        let lines = (StreetFeed.tables()["stops.txt"] ?? "").split(separator: "\n")
        return
            ([lines[0] + ",zone_id"] + zip(lines.dropFirst(), ["1", "1", "2", "3", ""]).map { "\($0),\($1)" })
            .joined(separator: "\n") + "\n"
    }

    private func fares(_ session: TestSession, _ from: String, _ to: String) async -> String {
        await session.run(
            "journey plan @\(from) @\(to) | first | get legs | where kind == ride | first | get fares")
    }

    @Test func faresByZone() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                StreetFeed.trips,
                [
                    "stops.txt": Self.zones(),
                    "fare_attributes.txt": Self.attributes
                        + "short,2.50,EUR,0,0,\nlong,4.00,EUR,1,,5400\nthrough,3.10,EUR,1,1,\ncoach,9,EUR,1,,\n",
                    "fare_rules.txt": Self.rules
                        + "short,,1,1,\nlong,,1,3,\nthrough,,,,1\nthrough,,,,2\ncoach,r2,,,\n",
                ]))
        #expect(await fares(session, "A", "B") == "2.50 EUR (pay on board, no transfers)")
        // Zones 1 and 2 are all that the ride passes.
        #expect(await fares(session, "A", "C") == "3.10 EUR (pay before boarding, 1 transfer)")
        #expect(
            await fares(session, "B", "D")
                == "4.00 EUR (pay before boarding, any number of transfers within 1h30min)")
        #expect(await session.run("line show 2 | get fares").contains("9 EUR"))
        #expect(!(await session.run("line show 1 | get fares").contains("9 EUR")))
        #expect(
            try await session.output("journey plan @B @D | first").contains("3 stops, fare 4.00 EUR") == false
        )
        #expect(await session.run("journey plan @B @D | first").contains("2 stops, fare 4.00 EUR"))
        #expect(
            await session.run("feed fares | select fare price | to csv").hasPrefix("fare,price\nshort,2.5\n"))
    }

    /// Two rides through C: t1 with line 1 to C, then w1 with line 2 at 08:40.
    private func sum(_ attributes: String, _ rules: String = "") async throws -> String {
        let next: StreetFeed.Trip = ("w1", "r2", "s", "0", "", "C 08:40;D 08:55")
        let first: StreetFeed.Trip = ("t1", "r1", "s", "0", "", "A 08:00;B 08:10;C 08:20")
        var changes = ["stops.txt": Self.zones(), "fare_attributes.txt": Self.attributes + attributes]
        if !rules.isEmpty { changes["fare_rules.txt"] = Self.rules + rules }
        let session = try await StreetFeed.session(StreetFeed.tables([first, next], changes))
        return await session.run("journey plan @A @D | first | get fare")
    }

    /// Sums by hand: one ticket where its transfers and duration allow it, else the cheapest of several.
    @Test(arguments: [
        ("a,2.50,EUR,0,0,\n", "", "5.00 EUR"), ("a,2.50,EUR,0,1,\n", "", "2.50 EUR"),
        // 40 minutes from boarding to boarding.
        ("a,2.50,EUR,0,,1800\n", "", "5.00 EUR"), ("a,2.50,EUR,0,,2400\n", "", "2.50 EUR"),
        ("a,2.50,EUR,0,1,90min\n", "", "unknown: how many transfers a allows"),
        ("a,2.50,EUR,0,9,\n", "", "unknown: how many transfers a allows"),
        ("a,2.50,EUR,0,0,90min\n", "", "5.00 EUR"),
        ("a,2.50,EUR,0,0,\nday,4,EUR,0,,\n", "", "4.00 EUR"),
        ("a,2.50,EUR,0,0,\nb,3.25,EUR,0,0,\n", "a,r1,,,\nb,r2,,,\n", "5.75 EUR"),
        ("a,2.50,EUR,0,0,\nz,3,EUR,0,,\n", "a,r1,,,\nz,,1,3,\n", "3.00 EUR"),
        ("z,3.1,EUR,0,,\n", "z,,,,1\nz,,,,2\nz,,,,3\n", "3.1 EUR"),
        ("a,2.50,EUR,0,0,\n", "a,r1,,,\n", "unknown: no fare for line 2"),
        ("a,\"2,50\",EUR,0,0,\n", "", "5.00 EUR"),
        // One and a quarter, or more than a thousand.
        ("a,\"1,250\",EUR,0,0,\n", "", "unknown: the price of a, `1,250`, is not a number"),
        ("a,2.50,EUR,0,0,\nb,3,CHF,0,0,\n", "a,r1,,,\nb,r2,,,\n", "unknown: prices in EUR and CHF"),
    ]) func sumsOfSeveralRides(attributes: String, rules: String, expected: String) async throws {
        #expect(try await sum(attributes, rules) == expected)
    }

    /// Empty fields of leg rules are about areas that no rule names; with priorities they are about all.
    @Test func faresByLeg() async throws {
        func tables(_ rules: String) -> [String: String] {
            StreetFeed.tables(
                StreetFeed.trips,
                [
                    "areas.txt": "area_id,area_name\nin,Inner\nout,Outer\n",
                    "stop_areas.txt": "area_id,stop_id\nin,A\nin,B\nout,D\n",
                    "networks.txt": "network_id,network_name\nbus,Bus\n",
                    "route_networks.txt": "network_id,route_id\nbus,r1\n",
                    "rider_categories.txt": "rider_category_id,rider_category_name\nk,Child\n",
                    "timeframes.txt":
                        "timeframe_group_id,start_time,end_time,service_id\npeak,06:00:00,09:00:00,s\n",
                    "fare_products.txt":
                        "fare_product_id,fare_product_name,rider_category_id,amount,currency\n"
                        + "one,Single,,3.00,EUR\none,Single,k,1.50,EUR\nbig,Zone ticket,,5.00,EUR\n",
                    "fare_leg_rules.txt": rules,
                ])
        }
        let plain = try await StreetFeed.session(
            tables(
                "network_id,from_area_id,to_area_id,from_timeframe_group_id,fare_product_id\n"
                    + "bus,in,in,,one\nbus,in,out,peak,big\n,,,,one\n"))
        #expect(await fares(plain, "A", "B") == "1.50 EUR (Single, Child)\n3.00 EUR (Single)")
        #expect(await fares(plain, "B", "D") == "5.00 EUR (Zone ticket, 06:00–09:00)")
        // The last rule is about other networks and areas.
        #expect(!(await fares(plain, "B", "C").contains("EUR")))
        let ranked = try await StreetFeed.session(
            tables(
                "network_id,from_area_id,to_area_id,fare_product_id,rule_priority\n"
                    + ",,,one,\nbus,in,out,big,2\n"))
        #expect(await fares(ranked, "B", "D") == "5.00 EUR (Zone ticket)")
        #expect(await fares(ranked, "B", "C").hasPrefix("1.50 EUR"))
    }

    @Test func feedsWithoutFares() async throws {
        let session = try await StreetFeed.session()
        #expect(await session.run("feed fares").contains("the feed has no fares"))
        #expect(await !session.run("line show 1 | get fares").contains("EUR"))
        #expect(!(await session.run("journey plan @A @D | first").contains("fare")))
    }

    // MARK: Translations

    private static let translations =
        "table_name,field_name,language,translation,record_id,field_value\n"
        + "stops,stop_name,fr,Alphaville,A,\nstops,stop_name,fr,Bêta,,Beta\n"
        + "trips,trip_headsign,fr,Centre,,Middle\nagency,agency_name,fr,Bus de ville,a,\n"
        + "routes,route_short_name,fr,Un,r1,\nstops,stop_name,de-CH,Alphastadt,A,\n"

    @Test func namesInALanguage() async throws {
        let trips = (StreetFeed.tables()["trips.txt"] ?? "").split(separator: "\n").enumerated().map {
            "\($1),\($0 == 0 ? "trip_headsign" : "Middle")"
        }.joined(separator: "\n")
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                StreetFeed.trips, ["translations.txt": Self.translations, "trips.txt": trips + "\n"]))
        #expect(await session.run("departures @A | first | get headsign") == "Middle")
        #expect(
            await session.run("feed language | select language texts | to csv")
                == "language,texts\nde-CH,1\nfr,5")
        await session.run("feed language fr")
        #expect(await session.run("departures @A | first | get headsign") == "Centre")
        #expect(
            await session.run("trip show t1 | get calls | select stop | to csv")
                == "stop\nAlphaville\nBêta\nGamma\nDelta")
        #expect(await session.run("line show @r1 | get line") == "Un")
        #expect(await session.run("departures @A | first | get agency") == "Bus de ville")
        #expect(await session.run("arrivals @D | first | get from") == "Alphaville")
        #expect(await session.run("journey plan @A @B | first").contains("Un to Centre from Alphaville"))
        // Names of all languages are found at any time.
        #expect(await session.run("stop find Alphastadt | first | get id") == "A")
        await session.run("feed language de")
        #expect(await session.run("stop find Alphaville | first | get name") == "Alphastadt")
        await session.run("undo")
        #expect(await session.run("departures @A | first | get headsign") == "Centre")
        await session.run("feed language --off")
        #expect(await session.run("departures @A | first | get headsign") == "Middle")
        #expect(await session.run("feed language it").contains("use one of de-CH, fr"))
    }

    /// A part of a tag stands for a language only where one begins with it.
    @Test func languageOfAPart() {
        #expect(FeedTranslation.match("de", among: ["de-CH", "fr"]) == "de-CH")
        #expect(FeedTranslation.match("de", among: ["de-AT", "de-CH"]) == nil)
        #expect(FeedTranslation.match("de-LI", among: ["de", "de-AT"]) == "de")
    }

    /// The form of translations.txt before 2020, as national feeds still have it.
    @Test func translationsOfTheFormerForm() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables(
                StreetFeed.trips,
                ["translations.txt": "trans_id,lang,translation\nAlpha,nl,Alfa\nDelta,nl,Delte\n"]))
        await session.run("feed language nl")
        #expect(await session.run("departures @A | first | get headsign") == "Delte")
        #expect(await session.run("stop show @A").contains("Alfa"))
    }
}
