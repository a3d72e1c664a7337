"""A class: its folder, its rules, its people, what is handed out, collected and exported."""
