"""What learning platforms write above their columns, in each language they were asked in, and what it means."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

#: What a column means → the words for it, English first. They are compared without case, accents, spaces and signs.
_WORDS = {
    # Moodle's participants, gradebook and grading worksheet
    "first name": "First name|Given name|Vorname|Prénom|Nombre(s)|Nombre de pila|名|名字",
    "last name": "Last name|Surname|Family name|Nachname|Familienname|Nom de famille|Apellido(s)|Apellido|姓|姓氏",
    "full name": "Full name|Vollständiger Name|Name, Vorname|Vorname Nachname|Nom complet|Prénom Nom|Nombre completo|"
    "Apellido(s) y nombre|全名|姓名",
    "email address": "Email address|E-mail address|E-Mail-Adresse|Adresse de courriel|Adresse e-mail|Adresse courriel|"
    "Dirección de correo|Dirección de correo electrónico|Dirección Email|"
    "电子邮件地址|Email地址|邮箱地址|电子邮箱",
    "email": "Email|E-mail|Courriel|Correo|Correo electrónico|电子邮件|邮箱",
    "id number": "ID number|ID-Nummer|Matrikelnummer|Matrikelnr.|Numéro d'identification|Numéro d'étudiant|Número de ID|"
    "学号|ID号|编号",
    "username": "Username|User name|Anmeldename|Benutzername|Nom d'utilisateur|Nombre de usuario|用户名",
    "identifier": "Identifier|Identifikator|Identifiant|Identificador|标识符|识别号",
    "grade": "Grade|Bewertung|Note|Calificación|成绩|评分|分数",
    "maximum grade": "Maximum grade|Bestwertung|Höchstbewertung|Beste Bewertung|Note maximale|Calificación máxima|"
    "最高分|最高成绩|最高评分|满分成绩",
    "feedback comments": "Feedback comments|Feedback als Kommentar|Feedbackkommentar|Feedback par commentaires|"
    "Commentaires de feedback|Feedback par commentaire|Comentarios de retroalimentación|"
    "Comentarios de la retroalimentación|反馈评论|反馈意见|评语|反馈评语",
    "last modified (submission)": "Last modified (submission)|Zuletzt geändert (Abgabe)|Dernière modification (travail remis)|"
    "Dernière modification (remise)|Última modificación (entrega)|Última modificación (envío)|"
    "最后修改 (提交)|最后修改时间 (提交)|最后更改 (提交)|最近修改 (提交)",
    # Canvas's gradebook
    "student": "Student|Studierende|Studierende(r)|Studierender|Student/in|Schüler/in|Étudiant|Étudiant(e)|Élève|Estudiante|"
    "Alumno|学生|学员",
    "id": "ID",
    "sis user id": "SIS User ID|SIS-Benutzer-ID|SIS-Nutzer-ID|ID d'utilisateur SIS|ID utilisateur SIS|ID de usuario de SIS|"
    "ID de usuario del SIS|ID de usuario SIS|SIS 用户 ID|SIS 使用者 ID",
    "sis login id": "SIS Login ID|SIS-Login-ID|SIS-Anmelde-ID|SIS-Anmeldungs-ID|ID de connexion SIS|"
    "Identifiant de connexion SIS|ID d'ouverture de session SIS|ID de inicio de sesión de SIS|"
    "ID de inicio de sesión del SIS|"
    "ID de inicio de sesión SIS|SIS 登录 ID",
    "login id": "Login ID|Anmelde-ID|ID de connexion|ID de inicio de sesión|登录 ID",
    "section": "Section|Abschnitt|Kursabschnitt|Sección|班级|分组|小节",
    # Tables of people's own, and GitHub Classroom's roster
    "student_id": "student_id|Student ID",
    "name": "Name",
    "student name": "Student name|学生姓名",
    "github_username": "github_username",
    "github_id": "github_id",
    "lms_user_id": "lms_user_id",
    "time": "Submitted at|Submission time|Timestamp|Time|Abgabezeit|Abgegeben am|Remis le|Fecha de entrega|提交时间",
}
#: Words that mean one thing beside a certain column, and another without it: (word, beside, then, else).
_TWO_WAYS = (("nom", "first name", "last name", "name"), ("nombre", "last name", "first name", "name"))
_POINTS_POSSIBLE = (
    "Points possible",
    "Mögliche Punkte",
    "Punkte möglich",
    "Erreichbare Punkte",
    "Points possibles",
    "Puntos posibles",
    "满分",
    "可能的分数",
    "可能得分",
)
_TRIAL = (
    "Student, Test",
    "Test Student",
    "Manual posting",
    "Étudiant, Test",
    "Étudiant test",
    "Estudiante, Prueba",
    "Estudiante de prueba",
    "测试学生",
)


def _plain(text: str) -> str:
    """Return a heading without case, accents, spaces and signs.

    >>> _plain("Última  modificación (entrega)"), _plain("学号")
    ('ultimamodificacionentrega', '学号')
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    return re.sub(r"[\W_]+", "", bare)


_MEANS = {_plain(word): meaning for meaning, words in _WORDS.items() for word in words.split("|")}
_POINTS = frozenset(word.casefold() for word in _POINTS_POSSIBLE)
_NOBODY = _POINTS | {word.casefold() for word in _TRIAL}


def meanings(header: Sequence[str]) -> tuple[str, ...]:
    """Return what each column of a table means, as an English word in small letters, or the heading itself if it is not known.

    >>> meanings(["Prénom", "Nom", "Numéro d’identification"])
    ('first name', 'last name', 'id number')
    """
    return _meanings(tuple(header))


@lru_cache(maxsize=16)
def _meanings(header: tuple[str, ...]) -> tuple[str, ...]:
    plain = [_plain(column) for column in header]
    column_meanings = [_MEANS.get(key, column.strip().casefold()) for key, column in zip(plain, header, strict=True)]
    for word, beside, then, otherwise in _TWO_WAYS:
        meaning = then if beside in column_meanings else otherwise
        column_meanings = [meaning if key == word else known for key, known in zip(plain, column_meanings, strict=True)]
    if "grade" in column_meanings and not {"identifier", "sis login id"} & set(
        column_meanings
    ):  # German calls the worksheet's identifier ID, as Canvas its number
        column_meanings = ["identifier" if known == "id" else known for known in column_meanings]
    return tuple(column_meanings)


def count_known(header: Sequence[str]) -> int:
    """Return how many columns of a row of headings are known.

    >>> count_known(["Embeddings, spring"]), count_known(["Vorname", "Nachname", "Raum"])
    (0, 2)
    """
    return sum(meaning in _WORDS for meaning in meanings(header))


def cells_of(header: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    """Return the cells of a row by the meaning of their columns; of two with one meaning, the first that is not empty."""
    cells: dict[str, str] = {}
    for meaning, cell in zip(meanings(header), row, strict=False):
        if not cells.get(meaning):
            cells[meaning] = cell.strip()
    return cells


def is_about_nobody(word: str) -> bool:
    """Return True if this is what Canvas writes in place of a student's name: for the points, or its own trial student."""
    return word.strip().casefold() in _NOBODY


def is_points_possible(word: object) -> bool:
    """Return True if this cells begin Canvas's line of points."""
    return str(word).strip().casefold() in _POINTS
