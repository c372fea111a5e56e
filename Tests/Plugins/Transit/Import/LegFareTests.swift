import PluginTestKit
import Testing

@testable import TransitPlugin

/// Sums of fare_leg_rules.txt and fare_transfer_rules.txt; expected amounts are by hand from the GTFS Schedule reference.
@Suite struct LegFareTests {
    private static let rules = "leg_group_id,network_id,fare_product_id\n"
    private static let legs = rules + "g,bus,b\nh,rail,r\n"
    private static let transfers =
        "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,fare_transfer_type,"
        + "fare_product_id\n"
    private static let products =
        "fare_product_id,rider_category_id,fare_media_id,amount,currency\n"
        + "b,,,2.00,EUR\nr,,,3.00,EUR\nx,,,1.00,EUR\nless,,,-0.50,EUR\nthrough,,,4.00,EUR\nchf,,,3.00,CHF\n"

    /// What two rides through C cost: line 1 from 08:00 to 08:20, line 2 from 08:40 to 08:55.
    private func sum(
        _ transfers: String = "", legs: String = legs, products: String = products,
        _ others: [String: String] = [:], to target: String = "D"
    ) async throws -> String {
        let rides: [StreetFeed.Trip] = [
            ("t1", "r1", "s", "0", "", "A 08:00;B 08:10;C 08:20"),
            ("w1", "r2", "s", "0", "", "C 08:40;D 08:55"),
        ]
        return try await sum(transfers, legs: legs, products: products, others, rides, to: target)
    }

    private func sum(
        _ transfers: String, legs: String, products: String, _ others: [String: String],
        _ rides: [StreetFeed.Trip], to target: String
    ) async throws -> String {
        var changes = [
            "networks.txt": "network_id,network_name\nbus,Bus\nrail,Rail\n",
            "route_networks.txt": "network_id,route_id\nbus,r1\nrail,r2\n",
            "fare_products.txt": products, "fare_leg_rules.txt": legs,
        ]
        if !transfers.isEmpty { changes["fare_transfer_rules.txt"] = Self.transfers + transfers }
        let session = try await StreetFeed.session(
            StreetFeed.tables(rides, changes.merging(others) { $1 }))
        return await session.run("journey plan @A @\(target) | first | get fare")
    }

    @Test(arguments: [
        ("", "5.00 EUR"), ("g,h,,,,0,\n", "2.00 EUR"), ("g,h,,,,0,x\n", "3.00 EUR"),
        ("g,h,,,,1,less\n", "4.50 EUR"),
        ("g,h,,,,2,through\n", "4.00 EUR"), ("h,g,,,,0,\n", "5.00 EUR"),
        // An empty group stands for those that no rule names.
        (",h,,,,0,\n", "2.00 EUR"), (",h,,,,0,\ng,g,1,,,0,\n", "5.00 EUR"),
        // 40 minutes from departure to departure, 20 from arrival to departure, 55 in all.
        ("g,h,,2399,1,0,\n", "5.00 EUR"), ("g,h,,2400,1,0,\n", "2.00 EUR"), ("g,h,,1199,2,0,\n", "5.00 EUR"),
        ("g,h,,1200,2,0,\n", "2.00 EUR"), ("g,h,,3299,0,0,\n", "5.00 EUR"), ("g,h,,3300,0,0,\n", "2.00 EUR"),
        ("g,h,,2100,3,0,\n", "2.00 EUR"), ("g,h,,2099,3,0,\n", "5.00 EUR"),
        ("g,h,,1200,,0,\n", "unknown: how the time of the transfer to line 2 counts"),
        ("g,h,,,,9,\n", "unknown: what the transfer to line 2 costs"),
        ("g,h,,,,0,gone\n", "unknown: what the transfer to line 2 costs"),
        ("g,h,,,,0,chf\n", "unknown: prices in several currencies"),
    ]) func transfersBetweenGroups(rules: String, expected: String) async throws {
        #expect(try await sum(rules) == expected)
    }

    /// Three rides of one group, 40 minutes from one departure to the next.
    @Test(arguments: [
        ("g,g,1,,,0,\n", "4.00 EUR"), ("g,g,2,,,0,\n", "2.00 EUR"), ("g,g,-1,,,0,\n", "2.00 EUR"),
        ("g,g,,,,0,\n", "unknown: how often one may change to line 1"), ("g,g,-1,4800,1,0,\n", "2.00 EUR"),
        ("g,g,-1,2400,1,0,\n", "unknown: from which ride on the time of the transfer to line 1 counts"),
        ("g,g,-1,2399,1,0,\n", "6.00 EUR"), ("g,g,-1,,,1,less\n", "5.00 EUR"),
        ("g,g,-1,,,2,x\n", "unknown: what the transfer to line 1 replaces"),
    ]) func chainsOfTransfers(rules: String, expected: String) async throws {
        let rides: [StreetFeed.Trip] = [
            ("t1", "r1", "s", "0", "", "A 08:00;B 08:10"), ("t2", "r1", "s", "0", "", "B 08:40;C 08:50"),
            ("t3", "r1", "s", "0", "", "C 09:20;D 09:30"),
        ]
        let found = try await sum(
            rules, legs: Self.rules + "g,bus,b\n", products: Self.products, [:], rides, to: "D")
        #expect(found == expected)
    }

    @Test func whatTheFeedLeavesOpen() async throws {
        #expect(try await sum(legs: Self.rules + "g,bus,b\n") == "unknown: no fare for line 2")
        #expect(
            try await sum(legs: Self.rules + "g,bus,b\nh,rail,chf\n") == "unknown: prices in EUR and CHF")
        let comma = Self.products.replacing("r,,,3.00", with: "r,,,\"3,00\"")
        #expect(try await sum(products: comma) == "5.00 EUR")
        let thousands = Self.products.replacing("r,,,3.00", with: "r,,,\"3,000\"")
        #expect(try await sum(products: thousands) == "unknown: the price of r, `3,000`, is not a number")
        let joins = ["fare_leg_join_rules.txt": "from_network_id,to_network_id\nbus,rail\n"]
        #expect(try await sum("", joins) == "unknown: lines 1 and 2 may count as one ride")
        #expect(try await sum("", to: "B") == "2.00 EUR")
    }

    /// A rule without a price is not as if it were not there: what it names may be cheaper.
    @Test(arguments: ["h,rail,gone\n", "h,rail,r\nh,rail,gone\n"])
    func aProductThatIsMissing(rule: String) async throws {
        #expect(
            try await sum(legs: Self.rules + "g,bus,b\n" + rule) == "unknown: the feed has no product gone")
        #expect(try await sum(legs: Self.rules + "g,bus,b\n" + rule, to: "B") == "2.00 EUR")
    }

    /// Both lines are of one network, and each leg costs 2.00.
    @Test(arguments: [
        ("", "4.00 EUR"), ("bus,bus,,\n", "2.00 EUR"), ("bus,bus,C,C\n", "2.00 EUR"), (",,C,C\n", "2.00 EUR"),
        ("bus,bus,B,B\n", "4.00 EUR"), (",,C,D\n", "4.00 EUR"), ("rail,rail,,\n", "4.00 EUR"),
    ])
    func ridesThatCountAsOne(joins: String, expected: String) async throws {
        let others = [
            "route_networks.txt": "network_id,route_id\nbus,r1\nbus,r2\n",
            "fare_leg_join_rules.txt": "from_network_id,to_network_id,from_stop_id,to_stop_id\n" + joins,
        ]
        #expect(try await sum(legs: Self.rules + "g,bus,b\n", others) == expected)
    }

    @Test func ridersAndMedia() async throws {
        let riders =
            "rider_category_id,rider_category_name,is_default_fare_category\nk,Child,0\nadult,Adult,1\n"
        let children = Self.products.replacing("b,,,2.00", with: "b,k,,0.80")
        #expect(
            try await sum(products: children, ["rider_categories.txt": riders])
                == "unknown: fares of line 1 are for certain riders alone")
        let adults = children.replacing("r,,,3.00", with: "b,adult,,2.20,EUR\nr,,,3.00")
        #expect(try await sum(products: adults, ["rider_categories.txt": riders]) == "5.20 EUR")
        let media = ["fare_media.txt": "fare_media_id,fare_media_name,fare_media_type\nc,Card,2\na,App,4\n"]
        let cheaper = Self.products.replacing("r,,,3.00", with: "b,,c,1.50,EUR\nr,,,3.00")
        #expect(try await sum(products: cheaper, media) == "4.50 EUR with Card")
        // No medium pays for both.
        let apart = Self.products.replacing("b,,,2.00", with: "b,,c,2.00").replacing(
            "r,,,3.00", with: "r,,a,3.00")
        #expect(try await sum(products: apart, media) == "unknown: no way to pay for all rides")
    }

    /// Line 1 leaves at 08:00 on a Friday; services: s daily, f on Fridays.
    @Test(arguments: [
        ("p,07:00:00,08:00:01,s\no,08:00:01,24:00:00,s\n", "5.50 EUR"),
        ("p,07:00:00,08:00:00,s\no,08:00:00,24:00:00,s\n", "4.00 EUR"),
        ("p,,,f\no,00:00:00,00:00:01,f\n", "5.50 EUR"),
        ("p,07:00:00,,s\no,00:00:00,00:00:01,f\n", "unknown: when fares of line 1 are valid"),
    ]) func timeframes(frames: String, expected: String) async throws {
        let legs =
            "leg_group_id,network_id,fare_product_id,from_timeframe_group_id\ng,bus,peak,p\ng,bus,x,o\nh,rail,r,\n"
        let frames = ["timeframes.txt": "timeframe_group_id,start_time,end_time,service_id\n" + frames]
        #expect(try await sum(legs: legs, products: Self.products + "peak,,,2.50,EUR\n", frames) == expected)
    }
}
