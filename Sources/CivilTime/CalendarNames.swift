/// The English names of months and weekdays, and the short forms in which files, mails and map tags write them.
public enum CalendarNames {
    /// January to December.
    public static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
    /// Monday to Sunday, the order of ISO 8601.
    public static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// `Jan` to `Dec`, as in mails.
    public static let shortMonths = months.map { String($0.prefix(3)) }
    /// `Mon` to `Sun`, as in mails.
    public static let shortWeekdays = weekdays.map { String($0.prefix(3)) }

    /// `jan` to `dec`, for texts in lower case.
    public static let monthKeys = shortMonths.map { $0.lowercased() }
    /// `mon` to `sun`, for texts in lower case.
    public static let weekdayKeys = shortWeekdays.map { $0.lowercased() }
    /// `mo` to `su`, as in opening hours, for texts in lower case.
    public static let weekdayPairs = weekdays.map { $0.prefix(2).lowercased() }
}
