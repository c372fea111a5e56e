/// The sample feed: the timetable of an invented harbour town, which covers the difficult cases of feeds.
///
/// The town lies in open sea at 0.5° N 0.5° E, where 0.001° are 111 m in both directions. Its time zone is
/// Europe/Berlin, so that its clocks change twice a year.
enum SampleFeed {
    /// The folder it is written into.
    static let folder = "harbour"

    /// The tables by their names.
    static func tables() -> [(name: String, text: String)] {
        let schedule = SampleSchedule.all
        return [
            ("agency.txt", agency), ("stops.txt", stops), ("routes.txt", routes), ("calendar.txt", calendar),
            ("calendar_dates.txt", dates), ("trips.txt", schedule.trips),
            ("stop_times.txt", schedule.stopTimes),
            ("frequencies.txt", frequencies), ("shapes.txt", shapes),
        ]
    }

    private static let agency = """
        agency_id,agency_name,agency_url,agency_timezone
        HT,"Harbour Trams, Buses and Ferries",https://harbour.example,Europe/Berlin
        SR,Sea Railway,https://sea-railway.example,Europe/Berlin

        """

    /// Begins with a byte-order mark, has an unknown column, and CR LF line ends.
    private static var stops: String {
        let rows = namedStops + bays + gardens
        return "\u{FEFF}"
            + ([
                "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding,"
                    + "platform_code,zone_colour"
            ] + rows).map { $0 + "\r\n" }.joined()
    }

    private static let namedStops = [
        "CEN,,Central Station,0.5,0.5,1,,1,,blue",
        "CEN1,101,Central Station,0.5002,0.4997,0,CEN,1,1,blue",
        "CEN2,102,Central Station,0.5002,0.5003,0,CEN,1,2,blue",
        "CEN3,103,Central Station,0.4996,0.5,,CEN,2,A,blue",
        // A boarding area without a coordinate, and an entrance.
        "CEN2b,,\"Central Station, section b\",,,4,CEN2,,b,blue",
        "CENx,,Central Station main entrance,0.4998,0.4999,2,CEN,1,,blue",
        "HAR,,Harbour,0.493,0.504,1,,,,blue",
        "HAR1,201,Harbour,0.4926,0.5041,0,HAR,1,Pier 1,blue",
        "HAR2,202,Harbour,0.4932,0.5038,0,HAR,,,blue",
        "UNI,301,Universität,0.512,0.508,0,,1,,green",
        "AIR,401,Airport,0.535,0.531,0,,1,,green",
        "MIL,501,\"The \"\"Old\"\" Mill\",0.5031,0.4952,0,,,,green",
        "SQE,502,\"Square, East\",0.4968,0.5049,0,,,,green",
        "CAF,503,Café Zoë,0.4951,0.5071,0,,,,green",
        "BRI,504,Bridge,0.4947,0.5061,0,,,,green",
        "ISL,601,Isle of Gulls,0.478,0.516,0,,,,red",
        // No trip calls here.
        "DEP,,Old Depot,0.507,0.489,0,,,,green",
    ]

    /// Eight bays within sixty metres of each other: a cluster.
    private static let bays = "ABCDEFGH".enumerated().map { index, letter in
        let (x, y) = (index % 4, index / 4)
        return "BAY\(letter),,Bus Terminal,0.\(4985 + y * 2),0.\(4985 + x * 1),0,,,\(letter),blue"
    }

    /// Ninety-six stops on a grid of 150 m, all served by one bus.
    static let gardenColumns = 12
    static let gardenRows = 8
    private static let gardens = (0..<gardenColumns * gardenRows).map { index in
        let row = index / gardenColumns
        // The bus runs back and forth.
        let column = row % 2 == 0 ? index % gardenColumns : gardenColumns - 1 - index % gardenColumns
        let latitude = 50_250 + row * 135
        let longitude = 48_700 + column * 135
        return "GAR\(index + 1),,Garden Road \(index + 1),0.\(latitude),0.\(longitude),0,,,,green"
    }

    /// Extended route types, a route without a short name, quotes, and lines that end early.
    private static let routes = """
        route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color
        S1,SR,S1,"Central – Airport",109,006E34,FFFFFF
        T4,HT,4,Old Town Tram,900,C0392B
        B10,HT,10,"Harbour, by the ""Old"" Mill",700
        B2,HT,2,Square Line,3
        B7,HT,7,Garden Line,704
        F1,HT,,Gulls Ferry,1000,117A65
        N1,HT,N1,Night Bus,705

        """

    private static let calendar = """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        WD,1,1,1,1,1,0,0,20260101,20261231
        SA,0,0,0,0,0,1,0,20260101,20261231
        SU,0,0,0,0,0,0,1,20260101,20261231
        NF,0,0,0,0,1,1,0,20260101,20261231

        """

    /// The first of May is a Friday that runs like a Sunday. FAIR has no calendar at all.
    private static let dates = """
        service_id,date,exception_type
        WD,20260501,2
        SU,20260501,1
        FAIR,20260207,1
        FAIR,20260214,1

        """

    /// The railway's line to the airport; its points are not in order.
    private static let shapes = """
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled
        rail,0.5002,0.4997,1,0
        rail,0.512,0.508,10,1600
        rail,0.506,0.501,5,680
        rail,0.524,0.517,15,3250
        rail,0.535,0.531,20,5220

        """

    /// Exact runs in the morning, others by headway alone.
    private static let frequencies = """
        trip_id,start_time,end_time,headway_secs,exact_times
        T4-loop,06:00:00,09:00:00,600,1
        T4-loop,09:00:00,20:00:00,900,0
        T4-sunday,10:00:00,18:00:00,1800,

        """
}
