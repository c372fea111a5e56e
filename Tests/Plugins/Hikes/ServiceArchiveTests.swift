import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import HikesPlugin

/// Archives of services.
extension HikeImportTests {
    /// Writes a file into a folder of the session's own.
    private func add(_ text: String, _ path: String, to test: TestSession) throws {
        let url = test.folder.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Each hike of an archive has the name and activity of the table beside its file, and one undo removes all.
    @Test func theTableOfAnArchiveNamesItsHikes() async throws {
        let table = """
            Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Activity Gear,Filename
            1,"Jun 6, 2026",Evening ride,Ride,"Windy, and cold",Old bike,1.gpx
            2,"Jun 7, 2026",Gone,Hike,,,2.gpx
            """
        let points = [Self.point(46, 0), Self.point(46.01, 2)]
        let test = try session([
            "activities.csv": table, "1.gpx": Self.gpx([points]),
            "3.gpx": Self.gpx([[Self.point(47, 0), Self.point(47.01, 2)]]),
        ])
        await test.run("import activities.csv 1.gpx 3.gpx")
        #expect(await test.run("hike list | get name | sort") == "Evening ride\nWalk")
        #expect(await test.run("hike show 'Evening ride' | get activity") == "cycling")
        #expect(await test.run("hike show 'Evening ride' | get comment") == "Windy, and cold\nGear: Old bike")
        await test.run("undo")
        #expect(await test.run("hike list | count") == "0")
    }

    /// In another language the columns have other names, but their order and the folder of the files are the same.
    @Test func theTableOfAnotherLanguageIsReadByItsOrder() async throws {
        let table = """
            Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Zeit,Zeit,Ausrüstung,Dateiname
            1,"06.06.2026, 08:00:00",Morgenrunde,Radfahrt,"Windig, kalt",580,"580,0",Altes Rad,activities/1.gpx
            2,"07.06.2026, 08:00:00",Von Hand,Wanderung,,60,60,,
            """
        let test = try session(["activities.csv": table])
        try add(Self.gpx([[Self.point(46, 0), Self.point(46.01, 2)]]), "activities/1.gpx", to: test)
        let said = await test.run("import . | first | get dropped")
        #expect(said == "activity `Von Hand` of 07.06.2026, 08:00:00 has no file, not imported")
        #expect(await test.run("hike list | get name") == "Morgenrunde")
        #expect(await test.run("hike show Morgenrunde | get activity") == "cycling")
        #expect(await test.run("hike show Morgenrunde | get comment") == "Windig, kalt\nGear: Altes Rad")
    }

    /// Runkeeper's table stands beside its GPX files.
    @Test func theTableOfRunkeeperNamesItsHikes() async throws {
        let table = """
            Activity Id,Date,Type,Route Name,Distance (km),Duration,Calories Burned,Notes,GPX File
            a,2026-02-05 08:00:00,Hiking,Lake,1.0,2:00,70.0,"cold ""and"" wet",2026-02-05-080000.gpx
            b,2026-02-06 18:00:00,Cycling,,10.00,30:00,300.0,,
            """
        let test = try session([
            "cardioActivities.csv": table,
            "2026-02-05-080000.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.01, 2)]]),
        ])
        let dropped = await test.run("import . | get dropped | to json")
        #expect(dropped.contains("activity `b` of 2026-02-06 18:00:00 has no file"), "\(dropped)")
        #expect(await test.run("hike show Lake | get activity") == "hiking")
        #expect(await test.run("hike show Lake | get comment") == "cold \"and\" wet")
    }

    /// Garmin names no files: an activity is that of the recording that begins with it.
    @Test func theListOfGarminNamesHikesByTheirStart() async throws {
        // 2026-02-05T08:00:00Z and an hour later.
        let list = """
            [{"summarizedActivitiesExport":[
            {"activityId":1,"name":"Snow walk","activityType":"hiking","beginTimestamp":1770278395000.0},
            {"activityId":2,"name":"Later","activityType":"running","beginTimestamp":1770282000000.0},
            {"activityId":3,"name":"Never"}]}]
            """
        let test = try session([
            "list.json": list, "1.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.01, 2)]]),
        ])
        let warnings = await test.run("import list.json 1.gpx | first | get warnings")
        #expect(warnings == "1 activity without a start, left out")
        #expect(await test.run("hike list | get name") == "Snow walk")
        #expect(await test.run("hike show 'Snow walk' | get activity") == "hiking")
    }

    /// Apple writes the way of a workout into a file that knows neither what was done nor the heart rate.
    @Test func theExportOfAppleHasActivitiesAndHeartRates() async throws {
        func record(_ time: String, _ rate: String) -> String {
            """
            <Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" startDate="2026-02-05 \(time) +0100" value="\(rate)"/>
            """
        }
        let export = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE HealthData [
            <!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
            ]>
            <HealthData locale="de_CH">
            \(record("09:00:02", "101"))\(record("09:02:03", "105"))\(record("09:01:30", "180"))\(record("09:01:31", "0"))
            <Workout workoutActivityType="HKWorkoutActivityTypeHiking" startDate="2026-02-05 09:00:00 +0100">
            <WorkoutRoute><FileReference path="/workout-routes/route.gpx"/></WorkoutRoute></Workout>
            <Workout workoutActivityType="HKWorkoutActivityTypeYoga" startDate="2026-02-06 09:00:00 +0100"/>
            </HealthData>
            """
        let test = try session(["export.xml": export])
        try add(Self.gpx([[Self.point(46, 0), Self.point(46.01, 2)]]), "workout-routes/route.gpx", to: test)
        await test.run("let rows = import .")
        #expect(
            await test.run("$rows | first | get dropped")
                == "activity `yoga` of 2026-02-06 09:00:00 +0100 has no file, not imported")
        #expect(await test.run("$rows | first | get warnings").hasPrefix("heart rates that none has"))
        #expect(await test.run("hike show Walk | get activity") == "hiking")
        // A value of 5 s beside a point is its own; one of 30 s beside is none of its own.
        #expect(await test.run("hike points Walk | get heartRate") == "101\n105")
        #expect(await test.run("hike show Walk | get warnings").contains("2 heart rates from the table"))
        #expect(await test.run("hike show Walk | get maxHeartRate").contains("105"))
        #expect(await test.run("hike show Walk | get heartRate").contains("103"))
    }

    /// An activity that was entered by hand is in no file: it is not left out in silence.
    @Test func anActivityWithoutAFileIsNamed() async throws {
        let table = """
            Activity ID,Activity Date,Activity Name,Activity Type,Filename
            1,"Jun 6, 2026",Walk,Hike,1.gpx
            2,"Jun 9, 2026",Swim by hand,Swim,
            """
        let test = try session([
            "activities.csv": table, "1.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.01, 2)]]),
        ])
        let said = await test.run("import activities.csv 1.gpx | first | get dropped")
        #expect(said == "activity `Swim by hand` of Jun 9, 2026 has no file, not imported")
    }

    /// A row of the table whose file is not in the archive is said when all files are in, whatever their order.
    @Test func anActivityWhoseFileIsMissingIsNamed() async throws {
        let table = """
            Activity ID,Activity Date,Activity Name,Activity Type,Filename
            1,"Jun 6, 2026",Walk,Hike,1.gpx
            2,"Jun 9, 2026",Gone,Hike,2.gpx
            """
        let test = try session([
            "activities.csv": table, "1.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.01, 2)]]),
        ])
        let said = await test.run("import activities.csv 1.gpx | first | get dropped")
        #expect(said == "activity `Gone` names 2.gpx, which is not there")
    }

    /// Times that lie 1024 weeks before today, or up to a year earlier, may be those of a receiver whose count of weeks began
}
