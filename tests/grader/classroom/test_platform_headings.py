"""Tables of learning platforms in the languages that they are downloaded in: rosters, times of submission, files to fill in."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.classroom.collect.handin_times import read_times
from grader.classroom.collect.parse_times import read_moment
from grader.classroom.export.fill import fill
from grader.classroom.export.grades import Grade, Student
from grader.classroom.roster import BadRoster, Roster, folded, read_roster, read_table

MOODLE = {
    "en": "First name,Last name,ID number,Email address,Username",
    "de": "Vorname,Nachname,ID-Nummer,E-Mail-Adresse,Anmeldename",
    "de, older": "Vorname,Nachname,Matrikelnummer,E-Mail-Adresse,Benutzername",
    "fr": "Prénom,Nom de famille,Numéro d'identification,Adresse de courriel,Nom d'utilisateur",
    "fr, older": "Prénom,Nom,Numéro d’identification,Adresse de courriel,Nom d’utilisateur",
    "es": "Nombre,Apellido(s),Número de ID,Dirección de correo,Nombre de usuario",
    "zh": "名,姓氏,学号,电子邮件地址,用户名",
    "zh, other": "名,姓,ID号,Email地址,用户名",
}
CANVAS = {
    "en": "Student,ID,SIS User ID,SIS Login ID,Section,03_max_norm|Points Possible",
    "de": "Studierende,ID,SIS-Benutzer-ID,SIS-Anmelde-ID,Abschnitt,03_max_norm|Mögliche Punkte",
    "fr": "Étudiant,ID,ID d'utilisateur SIS,Identifiant de connexion SIS,Section,03_max_norm|Points possibles",
    "es": "Estudiante,ID,ID de usuario del SIS,ID de inicio de sesión del SIS,Sección,03_max_norm|Puntos posibles",
    "zh": "学生,ID,SIS 用户 ID,SIS 登录 ID,班级,03_max_norm|满分",
}
WORKSHEET = {
    "en": "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission),Feedback comments|"
    "Participant 5|Thursday, 5 March 2026, 6:00 PM",
    "de": "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Zuletzt geändert (Abgabe),Feedback als Kommentar|"
    "Teilnehmer/in5|Donnerstag, 5. März 2026, 18:00",
    "fr": "Identifiant,Nom complet,Adresse de courriel,Statut,Note,Note maximale,Dernière modification (travail remis),"
    "Feedback par commentaires|Participant 5|jeudi 5 mars 2026, 18:00",
    "es": "Identificador,Nombre completo,Dirección de correo,Estatus,Calificación,Calificación máxima,"
    "Última modificación (entrega),Comentarios de retroalimentación|Participante 5|jueves, 5 de marzo de 2026, 18:00",
    "zh": "标识符,全名,电子邮件地址,状态,成绩,最高成绩,最后修改 (提交),反馈评论|参与者 5|2026年3月5日 星期四 18:00",
}
ADA = Student("ada", "Ada", "Lovelace", "ada@x.org", grades={"03_max_norm": Grade(10, 0, 20, False, "well done")})
WORTH = {"03_max_norm": 20.0}


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", MOODLE)
def test_moodles_people(tmp_path: Path, language: str) -> None:
    (person,) = read_roster(written(tmp_path / "r.csv", f"{MOODLE[language]}\nAda,Lovelace,77,al@x.org,ada\n")).people
    assert person.id == "ada" and person.name == "Ada Lovelace"
    assert {"adalovelace", "lovelaceada", "77", "al", folded("al@x.org")} <= person.keys


@pytest.mark.parametrize("language", CANVAS)
def test_canvas_people_and_points(tmp_path: Path, language: str) -> None:
    header, _, points = CANVAS[language].partition("|")
    path = written(tmp_path / "c.csv", f'{header}\n"    {points}",,,,,25\n"Lovelace, Ada",12,S-1,ada,A,\n')
    (person,) = read_roster(path).people
    assert person.id == "ada" and {"canvas12", "adalovelace", "s1"} <= person.keys
    filled = fill(*read_table(path), [ADA], WORTH, Roster())
    assert filled.rows[2][5] == 10 and "25 points possible" in filled.notes[0] and not filled.open


@pytest.mark.parametrize("language", WORKSHEET)
def test_moodles_worksheet(tmp_path: Path, language: str) -> None:
    header, who, when = WORKSHEET[language].split("|")
    path = written(tmp_path / "w.csv", f'{header}\n{who},Ada Lovelace,ada@x.org,x,,100,"{when}",\n')
    times = read_times(path, UTC)
    assert times[folded("Participant 5")] == times["adalovelace"] == datetime(2026, 3, 5, 18)
    filled = fill(*read_table(path), [ADA], WORTH, Roster())
    assert filled.rows[1][4] == 50 and filled.rows[1][7] == "well done" and not filled.open


@pytest.mark.parametrize(
    "text",
    [
        "2026年3月5日 18:00",
        "2026年03月05日 下午6:00",
        "2026年3月5日(星期四)18时00分",
        "5. März 2026, 18:00",
        "Do., 5. Mär. 2026, 18:00 Uhr",
        "5 mars 2026, 18:00",
        "jeudi 5 mars 2026 à 18h00",
        "5 de marzo de 2026, 18:00",
        "jueves, 5 de marzo de 2026, 6:00 p. m.",
        "05.03.2026 18:00",
        "Thursday, 5 March 2026, 6:00 PM",
        "2026-03-05T18:00",
    ],
)
def test_dates_in_other_languages(text: str) -> None:
    assert read_moment(text) == datetime(2026, 3, 5, 18)


@pytest.mark.parametrize("month", ["décembre", "Dezember", "diciembre", "déc.", "dic."])
def test_the_last_month(month: str) -> None:
    assert read_moment(f"1 {month} 2026, 00:05") == datetime(2026, 12, 1, 0, 5)


@pytest.mark.parametrize("text", ["5 marraskuuta 2026, 18:00", "2026年13月5日 18:00", "05/03/2026 18:00", "soon"])
def test_a_date_that_cannot_be_read_is_said(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadRoster, match="no time that can be read"):
        read_times(written(tmp_path / "t.csv", f'student_id,timestamp\nada,"{text}"\n'), UTC)
